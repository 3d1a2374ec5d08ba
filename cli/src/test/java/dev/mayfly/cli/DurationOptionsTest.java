package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Every option that is a time is written as in documents. */
class DurationOptionsTest {
  private static final Duration HALF_HOUR = Duration.ofMinutes(30);

  @Test
  void eachOptionReadsTimesAsDocumentsDo() {
    var options = new ArrayList<String>();
    var all = Commands.all(context());
    all.getSubcommands().forEach((name, command) -> check(all, List.of(name), command, options));

    assertThat(options).contains("cordon --for", "wait --timeout", "submit --max-run-time");
  }

  private static void check(
      CommandLine all, List<String> words, CommandLine command, List<String> seen) {
    for (var option : command.getCommandSpec().options())
      if (isTime(option)) {
        var name = String.join(" ", words) + " " + option.longestName();
        seen.add(name);
        assertThat(value(all, words, option)).as(name).isEqualTo(HALF_HOUR);
      }
    command
        .getSubcommands()
        .forEach((word, it) ->
            check(all, Stream.concat(words.stream(), Stream.of(word)).toList(), it, seen));
  }

  private static boolean isTime(OptionSpec option) {
    return option.typeInfo().getClassName().equals(Duration.class.getName())
        || option.auxiliaryTypes()[0] == Duration.class;
  }

  @SuppressWarnings("EmptyCatch") // an option is read before what else the command needs
  private static Object value(CommandLine all, List<String> words, OptionSpec option) {
    try {
      all.parseArgs(
          Stream.concat(words.stream(), Stream.of(option.longestName(), "30m"))
              .toArray(String[]::new));
    } catch (ParameterException moreIsNeeded) {
      // What was read of the option is asked below.
    }
    Object read = option.getValue();
    return read instanceof Optional<?> optional ? optional.orElseThrow() : read;
  }

  private static CliContext context() {
    var screen = TestScreen.plain(new ByteArrayOutputStream(), new ByteArrayOutputStream(), 80);
    return new CliContext(
        Map.of(), screen, new ConditionPoller(() -> Instant.EPOCH, _ -> {}), () -> "id");
  }
}
