package dev.mayfly.cli.simulate;

import dev.mayfly.cli.error.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a drawing is written. */
record PlotDestination(Path path) {
  private static final String SUFFIX = ".svg";

  /** Refuses what cannot be written, before anything runs. */
  void check() {
    if (!path.toString().endsWith(SUFFIX))
      throw CommandException.input(
          "--plot is %s, and draws SVG alone; name a file that ends with %s"
              .formatted(path, SUFFIX));
    var above = path.toAbsolutePath().getParent();
    if (above != null && !Files.isDirectory(above))
      throw CommandException.input("--plot: there is no folder " + above);
    OverwriteCheck.check("--plot", path, "<svg", "plot");
  }

  void write(String svg) {
    try {
      Files.writeString(path, svg);
    } catch (IOException e) {
      throw CommandException.input("%s cannot be written: %s".formatted(path, e), e);
    }
  }
}
