package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.flow.Waiting;
import dev.mayfly.cli.show.Program;
import dev.mayfly.cli.show.Screen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code --help} shows. */
class HelpTest {
  @Test
  void listsOfCommandsHaveWholeSentences() {
    assertThat(commands("mayfly"))
        .allSatisfy(c ->
            assertThat(c.getCommandSpec().usageMessage().description()[0])
                .as(c.getCommandName())
                .matches("[A-Z].*[.]"));
  }

  @Test
  void helpFitsTheNarrowestTerminal() {
    assertThat(commands("mayfly"))
        .allSatisfy(c -> {
          c.setUsageHelpWidth(80);
          assertThat(c.getUsageMessage().lines())
              .as(c.getCommandName())
              .allMatch(line -> line.length() <= 80);
        });
  }

  @Test
  void hintsAreAsTheProgramIsTyped() {
    var program = new Program("./mayfly", Verbs.names());

    assertThat(program.in("start one with: mayfly local")).endsWith(" ./mayfly local");
    assertThat(program.in("a bug in mayfly: x; mayfly unless told"))
        .isEqualTo("a bug in mayfly: x; mayfly unless told");
    assertThat(program.in("/opt/mayfly up")).isEqualTo("/opt/mayfly up");
    assertThat(commands("./mayfly"))
        .allSatisfy(
            c -> assertThat(c.getUsageMessage()).contains("./mayfly").doesNotContain(" mayfly up"));
  }

  /** All commands, also those of commands. */
  private static List<CommandLine> commands(String typed) {
    var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    var program = new Program(typed, Verbs.names());
    var screen = new Screen(nowhere, nowhere, false, false, 80, program);
    var waiting = new Waiting(InstantSource.system(), Waiting::sleep);
    var all = new ArrayList<CommandLine>();
    add(Verbs.all(new Session(Map.of(), screen, waiting, () -> "id")), all);
    return all;
  }

  private static void add(CommandLine command, List<CommandLine> to) {
    to.add(command);
    command.getSubcommands().values().forEach(c -> add(c, to));
  }
}
