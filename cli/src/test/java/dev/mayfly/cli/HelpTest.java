package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.ProgramName;
import dev.mayfly.cli.output.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The output of {@code --help}. */
class HelpTest {
  @Test
  void commandDescriptionsAreSentences() {
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
  void hintsUseTypedProgramName() {
    var programName = new ProgramName("./mayfly", Commands.names());

    assertThat(programName.rewrite("start one with: mayfly local")).endsWith(" ./mayfly local");
    assertThat(programName.rewrite("bug in mayfly: x; mayfly unless told"))
        .isEqualTo("bug in mayfly: x; mayfly unless told");
    assertThat(programName.rewrite("/opt/mayfly up")).isEqualTo("/opt/mayfly up");
    assertThat(commands("./mayfly"))
        .allSatisfy(
            c -> assertThat(c.getUsageMessage()).contains("./mayfly").doesNotContain(" mayfly up"));
  }

  @Test
  void helpBeforeACommandIsAboutIt() {
    assertThat(said("--help", "submit")).isEqualTo(said("submit", "--help")).contains("submit");
    assertThat(said("-h", "submit", "job.yaml")).isEqualTo(said("submit", "-h"));
    assertThat(said("--help", "slice", "create")).isEqualTo(said("slice", "create", "--help"));
    assertThat(said("slice", "--help", "create")).isEqualTo(said("slice", "create", "--help"));
    assertThat(said("--help")).contains("Commands:");
    assertThat(said("--version")).isEqualTo(said("version")).contains("Java");
    assertThat(said("help")).isEqualTo(said("--help"));
    assertThat(said("help", "submit")).isEqualTo(said("submit", "--help"));
    assertThat(said("--help", "sbumit")).isEqualTo(said("sbumit")).contains("sbumit");
    assertThat(said("run", "--", "echo", "--help")).doesNotContain("Usage:");
  }

  @Test
  void helpHasEveryExitCode() throws IOException {
    var line = Pattern.compile("Exit codes of `mayfly`: ([^.]*)\\.");
    var page = line.matcher(Files.readString(Path.of("../docs/operations.md")));
    assertThat(page.find()).isTrue();
    var documented = Pattern.compile("(?:^|, )([0-9]+) ").matcher(page.group(1)).results();

    var help = said("--help").replaceAll("\\s+", " ");
    assertThat(documented.map(code -> code.group(1)))
        .contains("0", "78")
        .allSatisfy(code -> assertThat(help).containsPattern("[ ,]" + code + " "));
  }

  private static String said(String... args) {
    var bytes = new ByteArrayOutputStream();
    var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    var screen = TestScreen.plain(out, out, 80);
    var conditionPoller = new ConditionPoller(InstantSource.system(), ConditionPoller::sleep);
    Main.run(new CliContext(Map.of(), screen, conditionPoller, () -> "id"), args);
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** All commands and subcommands. */
  private static List<CommandLine> commands(String typed) {
    var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    var programName = new ProgramName(typed, Commands.names());
    var screen = new Screen(nowhere, nowhere, false, false, 80, programName, () -> ZoneOffset.UTC);
    var conditionPoller = new ConditionPoller(InstantSource.system(), ConditionPoller::sleep);
    var all = new ArrayList<CommandLine>();
    add(Commands.all(new CliContext(Map.of(), screen, conditionPoller, () -> "id")), all);
    return all;
  }

  private static void add(CommandLine command, List<CommandLine> to) {
    to.add(command);
    command.getSubcommands().values().forEach(c -> add(c, to));
  }
}
