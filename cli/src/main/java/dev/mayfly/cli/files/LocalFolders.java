package dev.mayfly.cli.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Operations on folders of this computer that store nothing. None of them follows a link. */
public final class LocalFolders {
  private LocalFolders() {}

  /** What is directly in a folder, in the order of names. */
  public static List<Path> children(Path folder) throws IOException {
    try (var all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }

  /** The bytes of a file, or of all files of a folder that are there by their own names. */
  public static long size(Path place) throws IOException {
    var sum = 0L;
    try (var all = Files.walk(place)) {
      for (var path : (Iterable<Path>) all::iterator)
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) sum += Files.size(path);
    }
    return sum;
  }

  /** Deletes a folder and all in it; a missing one is not an error. */
  public static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (var path : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(path);
    } catch (NoSuchFileException gone) {
      if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) throw gone;
    }
  }
}
