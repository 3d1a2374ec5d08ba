package dev.mayfly.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Temporary folders for one input. */
final class TempFolders {
  private TempFolders() {}

  /** Deletes the folder recursively. */
  static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (var path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
    }
  }
}
