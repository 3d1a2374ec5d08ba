package dev.mayfly.cli.simulate;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.page.ExportFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the pages of simulations are written: into a file, or into a folder that is made for them.
 *
 * @param written as the user wrote it
 * @param path the same, absolute
 */
record PageDestination(String written, Path path) {
  static final String SUFFIX = ".html";

  static PageDestination of(String written, Path folder) {
    if (written.isEmpty())
      throw CommandException.input("--page is empty; name a file such as night.html, or a folder");
    return new PageDestination(written, folder.resolve(written).normalize());
  }

  private boolean isFile() {
    return written.endsWith(SUFFIX) && !Files.isDirectory(path);
  }

  /**
   * Refuses what cannot be written, before anything runs.
   *
   * @param scenarios how many pages there are
   */
  void check(int scenarios) {
    if (isFile() && scenarios > 1)
      throw CommandException.input(
          "--page is %s, and with --compare there are %d pages; name a folder for them"
              .formatted(written, scenarios));
    if (isFile()) {
      new ExportFile(path, true).check();
      OverwriteCheck.check("--page", path, "<title>Mayfly</title>", "page");
    }
    if (!isFile() && Files.exists(path) && !Files.isDirectory(path))
      throw CommandException.input(
          "--page is %s, a file that is no page; name one such as night.html, or a folder"
              .formatted(written));
    if (!isFile() && !Files.isDirectory(above()))
      throw CommandException.input("--page: there is no folder " + above());
  }

  private Path above() {
    var parent = path.getParent();
    return parent == null ? path : parent;
  }

  /**
   * The page of a scenario; of equal names a later one has a number.
   *
   * @param others those of the scenarios before it
   */
  Path of(String scenario, List<Path> others) {
    if (isFile()) return path;
    var name = scenario.substring(scenario.lastIndexOf('/') + 1);
    var stem = name.replaceFirst("\\.(ya?ml|json)$", "").replaceAll("[^A-Za-z0-9._=-]", "-");
    var file = path.resolve(stem + SUFFIX);
    for (var n = 2; others.contains(file); n++) file = path.resolve(stem + "-" + n + SUFFIX);
    return file;
  }

  /** A page as its user would call it. */
  String named(Path file) {
    return isFile()
        ? written
        : Path.of(written).resolve(String.valueOf(file.getFileName())).toString();
  }

  /** Replaces a page of before, as a whole or not at all. */
  void write(Path file, byte[] content) {
    try {
      if (!isFile()) Files.createDirectories(path);
    } catch (IOException e) {
      throw CommandException.input(path + " cannot be made: " + e, e);
    }
    new ExportFile(file, true).write(content);
  }
}
