package dev.mayfly.cli.context;

import dev.mayfly.cli.output.Screen;
import dev.mayfly.wire.Wire;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;

/** The options of every command. */
public final class CommonOptions {
  /** The format of results. */
  enum Format {
    text,
    json
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text for people (the default), or json for programs.")
  Format output = Format.text;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this text.")
  boolean help;

  public boolean json() {
    return output == Format.json;
  }

  /** Writes a value, or a list of values, as one line of JSON. */
  public void json(Screen screen, Object value) {
    screen.line(new String(Wire.shared().json(value), StandardCharsets.UTF_8));
  }

  /** Where text for people goes: to stderr if the result is JSON. */
  public Screen humanScreen(Screen screen) {
    return json() ? screen.toStderr() : screen;
  }
}
