package dev.mayfly.local.storage.bucket;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes a file whose folder is nearly always there: the folder is only made, or made again, once
 * that has failed. Throws {@link java.nio.file.FileAlreadyExistsException} if a file is in its
 * place.
 */
final class FolderOnDemand {
  private FolderOnDemand() {}

  interface Step<T> {
    T go() throws IOException;
  }

  static <T> T of(Path file, Step<T> step) throws IOException {
    try {
      return step.go();
    } catch (FileSystemException missing) {
      Files.createDirectories(file.getParent());
      return step.go();
    }
  }
}
