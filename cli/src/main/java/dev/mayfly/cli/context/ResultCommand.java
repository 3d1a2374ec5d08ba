package dev.mayfly.cli.context;

import dev.mayfly.cli.metrics.CsvRecord;
import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Table;
import dev.mayfly.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with a result: text for people, or JSON for programs. */
public abstract class ResultCommand extends CliCommand {
  /** The format of the result. */
  enum Format {
    text,
    wide,
    json,
    csv
  }

  @Spec CommandSpec spec = CommandSpec.create();

  private Format output = Format.text;

  protected ResultCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** Refuses before anything is done what the command does not write. */
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description =
          "text for people (the default), wide for text of any width, json for programs; csv for"
              + " those that list tasks.")
  void output(Format format) {
    if (format == Format.csv && !writesCsv())
      throw new ParameterException(
          spec.commandLine(), "-o csv is for mayfly tasks; write -o json here");
    output = format;
  }

  /** Whether the command can write CSV. */
  protected boolean writesCsv() {
    return false;
  }

  /** The formats that it writes, for shells to offer. */
  public final List<String> formats() {
    return Stream.of(Format.values())
        .filter(format -> format != Format.csv || writesCsv())
        .map(Enum::name)
        .toList();
  }

  protected final boolean isCsv() {
    return output == Format.csv;
  }

  /** Writes records of CSV. */
  protected final void showCsv(List<List<String>> records) {
    records.forEach(fields -> cliContext.screen().csv(CsvRecord.of(fields)));
  }

  /** Writes the result: a value or a list of values as one line of JSON, or {@code text}. */
  protected final void show(Object result, Runnable text) {
    if (!isJson()) text.run();
    else
      cliContext
          .screen()
          .line(PrintableText.json(new String(Wire.shared().json(result), StandardCharsets.UTF_8)));
  }

  /** Writes the rows: as {@link #show}, or {@code none} to stderr if there are none. */
  protected final void showTable(List<?> rows, Supplier<Table> table, String none) {
    show(
        rows,
        () -> {
          if (rows.isEmpty()) cliContext.screen().note(none);
          else print(table.get());
        });
  }

  private void print(Table table) {
    var screen = textScreen();
    screen.lines(table.lines(screen));
    table.missing(screen).ifPresent(screen::note);
  }

  /** Writes the result of a command that has told people already, on {@link #humanScreen}. */
  protected final void showJson(Object result) {
    show(result, () -> {});
  }

  /** Whether the result is JSON. */
  protected final boolean isJson() {
    return output == Format.json;
  }

  /** Whether text of any width is asked for. */
  protected final boolean isWide() {
    return output == Format.wide;
  }

  /** The screen for results as text: of any width if that is asked for. */
  protected final Screen textScreen() {
    var screen = cliContext.screen();
    return isWide() ? screen.withWidth(Screen.ENDLESS) : screen;
  }

  /** Where text for people goes: to stderr if the result is JSON. */
  protected final Screen humanScreen() {
    var screen = cliContext.screen();
    return isJson() ? screen.toStderr() : screen;
  }
}
