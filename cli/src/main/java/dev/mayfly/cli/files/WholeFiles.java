package dev.mayfly.cli.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * Files that are written all and whole, or not at all: first below a hidden folder beside them. A
 * link in the place of one is never followed.
 */
public final class WholeFiles {
  private WholeFiles() {}

  /**
   * Writes them into the folder.
   *
   * @param contents by the files' names
   * @param force whether existing files are replaced
   */
  public static void write(Path folder, Map<String, byte[]> contents, boolean force)
      throws IOException {
    // A folder, because a temporary file is its owner's alone and stays so.
    var beside = Files.createTempDirectory(folder, ".mayfly-new-");
    try {
      for (var file : contents.entrySet())
        Files.write(beside.resolve(file.getKey()), file.getValue());
      for (var name : contents.keySet()) {
        var place = folder.resolve(name);
        if (force) Files.move(beside.resolve(name), place, StandardCopyOption.REPLACE_EXISTING);
        else Files.move(beside.resolve(name), place);
      }
    } finally {
      LocalFolders.delete(beside);
    }
  }
}
