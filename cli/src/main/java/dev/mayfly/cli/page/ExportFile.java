package dev.mayfly.cli.page;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.WholeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * The file that an export writes, whole or not at all.
 *
 * @param path absolute
 * @param force whether an existing file is replaced; a folder never is
 */
public record ExportFile(Path path, boolean force) {
  /** Refuses a destination that exists, before anything is read. */
  public void check() {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
      throw CommandException.input(
          path + " is a folder, which is never replaced; name a file, such as job.html");
    if (!force && Files.exists(path, LinkOption.NOFOLLOW_LINKS))
      throw CommandException.input(path + " exists; --force replaces a file");
    if (!Files.isDirectory(folder()))
      throw CommandException.input("there is no folder " + folder());
  }

  private Path folder() {
    var parent = path.getParent();
    return parent == null ? path : parent;
  }

  /** Writes it, after the same check. */
  public void write(byte[] content) {
    check();
    try {
      WholeFiles.write(folder(), Map.of(String.valueOf(path.getFileName()), content), force);
    } catch (IOException e) {
      throw CommandException.input(path + " cannot be written: " + e, e);
    }
  }
}
