package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mayfly completion}. */
class CompletionTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void shellAcceptsItsScript(String shell) throws IOException, InterruptedException {
    var program = onPath(shell);
    var script = Files.writeString(folder.resolve("script"), script(shell));
    Assumptions.assumeTrue(program, shell + " is not installed");

    var check =
        new ProcessBuilder(shell, "-n", script.toString()).redirectErrorStream(true).start();
    var said = new String(check.getInputStream().readAllBytes(), UTF_8);

    assertThat(check.waitFor()).as(said).isZero();
  }

  @Test
  void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
    var script =
        script("bash")
            + """

            compopt() { :; }
            COMP_WORDS=(mayfly val); COMP_CWORD=1; _complete_mayfly; echo "${COMPREPLY[@]}"
            COMP_WORDS=(mayfly up --dry); COMP_CWORD=2; _complete_mayfly; echo "${COMPREPLY[@]}"
            """;

    assertThat(answer(List.of("bash", "-s"), script)).isEqualTo("validate\n--dry-run\n");
  }

  @Test
  void fishCompletesCommandsAndOptions() throws IOException, InterruptedException {
    Assumptions.assumeTrue(onPath("fish"), "fish is not installed");
    var asked = script("fish") + "\ncomplete -C 'mayfly val'\ncomplete -C 'mayfly up --dry'\n";

    assertThat(answer(List.of("fish", "--no-config"), asked).lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith("validate\t");
  }

  private String answer(List<String> shell, String asked) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(shell).redirectErrorStream(true);
    builder.environment().put("HOME", folder.toString());
    var process = builder.start();
    try (var in = process.getOutputStream()) {
      in.write(asked.getBytes(UTF_8));
    }
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  @Test
  void fishScriptNamesEveryCommandAndOption() {
    var script = script("fish");

    for (var command : Commands.all(context()).getSubcommands().entrySet()) {
      assertThat(script).contains("'__fish_use_subcommand' -f -a " + command.getKey() + " -d '");
      for (var option : command.getValue().getCommandSpec().options())
        if (option.longestName().startsWith("--"))
          assertThat(script.lines())
              .as(command.getKey() + " " + option.longestName())
              .anyMatch(line ->
                  line.contains("__fish_seen_subcommand_from " + command.getKey())
                      && line.contains(" -l " + option.longestName().substring(2) + " "));
    }
    assertThat(script).contains("-l output -r -f -a 'text wide json csv' -d 'text for people");
  }

  @Test
  void csvIsOfferedWhereItIsWritten() throws IOException, InterruptedException {
    assertThat(script("fish").lines().filter(line -> line.contains(" -a 'text wide json csv'")))
        .singleElement()
        .asString()
        .contains("__fish_seen_subcommand_from tasks'");
    var asked =
        """

        compopt() { :; }
        COMP_WORDS=(mayfly jobs -o c); COMP_CWORD=3; _complete_mayfly; echo "${COMPREPLY[@]}"
        COMP_WORDS=(mayfly tasks -o c); COMP_CWORD=3; _complete_mayfly; echo "${COMPREPLY[@]}"
        """;

    assertThat(answer(List.of("bash", "-s"), script("bash") + asked)).isEqualTo("\ncsv\n");
  }

  /** Each line has its quotes in pairs, apart from those that a backslash precedes. */
  @Test
  void fishTextsAreQuoted() {
    assertThat(script("fish").lines())
        .allMatch(
            line -> line.replaceAll("\\\\.", "").chars().filter(c -> c == '\'').count() % 2 == 0)
        .anyMatch(line -> line.contains("\\'"));
  }

  private static boolean onPath(String program) {
    for (var part : System.getenv().getOrDefault("PATH", "").split(":"))
      if (Files.isExecutable(Path.of(part, program))) return true;
    return false;
  }

  private String script(String shell) {
    assertThat(Main.run(context(), "completion", shell)).isZero();
    return out.toString(UTF_8);
  }

  private CliContext context() {
    out.reset();
    var screen = TestScreen.plain(new PrintStream(out, true, UTF_8), System.err, 80);
    var poller = new ConditionPoller(InstantSource.system(), ConditionPoller::sleep);
    return new CliContext(Map.of(), screen, poller, () -> "id", folder);
  }
}
