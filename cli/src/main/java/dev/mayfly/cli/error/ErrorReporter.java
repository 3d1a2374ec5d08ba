package dev.mayfly.cli.error;

import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.core.text.SpellingSuggestion;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.InvalidPathException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints an error in a line or two and converts it into an exit code. */
public record ErrorReporter(Screen screen, boolean debug)
    implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final Pattern WHOLE = Pattern.compile(" is not an? (?:long|int|short)$");
  private static final Pattern DECIMAL =
      Pattern.compile(
          "(?:cannot convert )?('.*')(?: is not an? (?:double|float|BigDecimal)$| to \\S*BigDecimal.*)",
          Pattern.DOTALL);
  private static final Pattern TASKS = Pattern.compile("[A-Za-z].*/[0-9]+.*");
  private static final Pattern PLACE = Pattern.compile("\\S+:\\d+: ");

  @Override
  public int handleExecutionException(Exception failure, CommandLine line, ParseResult parsed) {
    return report(failure);
  }

  public int report(Throwable failure) {
    var commandExitCode = CommandExitCode.of(failure);
    var text = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    if (commandExitCode == CommandExitCode.BUG
        && !(failure instanceof dev.mayfly.cli.error.CommandException))
      text =
          "bug in mayfly: "
              + failure
              + "; run it again with MAYFLY_DEBUG=1 and report what it shows";
    if (failure instanceof InvalidPathException name)
      text =
          "'%s' cannot be the name of a file here (%s); write another, or set LC_ALL=C.UTF-8"
              .formatted(name.getInput(), name.getReason());
    // Editors recognize file:line: only at the beginning of a line.
    var placed = PLACE.matcher(text).lookingAt();
    screen.note((placed ? "" : screen.paint(Style.BAD, "mayfly: ")) + PrintableText.text(text));
    if (debug) screen.note(written(failure::printStackTrace).strip());
    return commandExitCode.code();
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    var name = failure.getCommandLine().getCommandSpec().qualifiedName();
    var unknown = unknownCommand(failure, name);
    screen.note(
        screen.paint(Style.BAD, "mayfly: ")
            + PrintableText.text(
                unknown
                    .or(() -> manyTasks(failure, name))
                    .orElseGet(() -> words(String.valueOf(failure.getMessage())))));
    var suggestions =
        unknown.isPresent()
            ? ""
            : written(err -> UnmatchedArgumentException.printSuggestions(failure, err));
    screen.note(suggestions.isBlank() ? "see " + name + " --help" : suggestions.strip());
    if (debug) screen.note(written(failure::printStackTrace).strip());
    return CommandExitCode.INPUT.code();
  }

  /** What others would write to a stream; it may repeat words that nobody has looked at. */
  private static String written(Consumer<PrintWriter> writing) {
    var text = new StringWriter();
    writing.accept(new PrintWriter(text, true));
    return text.toString();
  }

  /** The message without names of Java's types. */
  private static String words(String message) {
    return DECIMAL
        .matcher(WHOLE.matcher(message).replaceFirst(" is not a whole number"))
        .replaceFirst("$1 is not a number");
  }

  /** A second task behind the first is not one of its own. */
  private static Optional<String> manyTasks(ParameterException failure, String name) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)) return Optional.empty();
    var word = unmatched.getUnmatched().getFirst();
    return Optional.of(word)
        .filter(it -> TASKS.matcher(it).matches())
        .map(_ ->
            "'%s' is one too many: %s takes one job; several of its tasks are one word, JOB/3,5-9, which stop and retry take"
                .formatted(word, name));
  }

  /** What is said of a word where a command stands; empty for other mistakes. */
  private static Optional<String> unknownCommand(ParameterException failure, String name) {
    var commands = failure.getCommandLine().getSubcommands().keySet();
    if (!(failure instanceof UnmatchedArgumentException unmatched)
        || unmatched.isUnknownOption()
        || commands.isEmpty()) return Optional.empty();
    var word = unmatched.getUnmatched().getFirst();
    var meant =
        SpellingSuggestion.closest(word, commands)
            .map(it -> "; did you mean " + name + " " + it + "?");
    return Optional.of("there is no command " + name + " " + word + meant.orElse(""));
  }
}
