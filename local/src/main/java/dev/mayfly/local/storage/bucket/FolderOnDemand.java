package dev.mayfly.local.storage.bucket;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Does something in a folder that is nearly always there: it is only made, or made again, once that
 * has failed. Throws {@link java.nio.file.FileAlreadyExistsException} if a file is in its place.
 */
final class FolderOnDemand {
  private FolderOnDemand() {}

  interface Step<T> {
    T go() throws IOException;
  }

  static <T> T in(Path folder, Step<T> step) throws IOException {
    try {
      return step.go();
    } catch (FileSystemException missing) {
      Files.createDirectories(folder);
      return step.go();
    }
  }
}
