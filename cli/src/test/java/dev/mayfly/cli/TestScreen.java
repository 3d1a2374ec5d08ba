package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cli.output.ProgramName;
import dev.mayfly.cli.output.Screen;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.ZoneOffset;
import java.util.List;

/** Screens of a reader in UTC who has Mayfly on the path. */
public final class TestScreen {
  private TestScreen() {}

  /** No terminal, without a limit of its width. */
  public static Screen plain(OutputStream out, OutputStream err) {
    return plain(out, err, Screen.ENDLESS);
  }

  public static Screen plain(OutputStream out, OutputStream err, int width) {
    return plain(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), width);
  }

  public static Screen plain(PrintStream out, PrintStream err, int width) {
    return of(out, err, false, false, width);
  }

  public static Screen of(
      PrintStream out, PrintStream err, boolean terminal, boolean colour, int width) {
    return new Screen(
        out,
        err,
        terminal,
        colour,
        width,
        new ProgramName("mayfly", List.of()),
        () -> ZoneOffset.UTC);
  }
}
