package dev.mayfly.gcs.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;

/**
 * Deletes one generation of a file and no other. A file system cannot compare and delete
 * atomically, so the file is first renamed to a reserved name, checked there, and put back if it is
 * another generation.
 */
public final class FileRemoval {
  private FileRemoval() {}

  public static boolean remove(ObjectFile place, long generation) throws IOException {
    var aside =
        place
            .file()
            .resolveSibling(
                place.sidecar(generation).getFileName()
                    + "-"
                    + ProcessHandle.current().pid()
                    + "-gone");
    try {
      Files.move(place.file(), aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return false;
    }
    var mine = FileIdentity.of(aside).filter(s -> s.generation() == generation).isPresent();
    if (!mine) putBack(place, aside);
    Files.deleteIfExists(aside);
    if (mine) Files.deleteIfExists(place.sidecar(generation));
    return mine;
  }

  private static void putBack(ObjectFile place, java.nio.file.Path aside) throws IOException {
    try {
      Files.createLink(place.file(), aside);
    } catch (FileAlreadyExistsException e) {
      // Another process created the name meanwhile, which counts as the newer write.
    }
  }
}
