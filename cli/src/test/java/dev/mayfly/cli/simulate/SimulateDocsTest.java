package dev.mayfly.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/simulate.md} has what its commands print on a terminal of 80 columns, and the
 * pictures that they draw. After a deliberate change run it with {@code -Dmayfly.docs=write}.
 */
class SimulateDocsTest {
  private static final Path PAGE = Path.of("../docs/simulate.md");
  private static final Path PICTURE = Path.of("../docs/pictures/simulate-night.svg");
  private static final Pattern BLOCK =
      Pattern.compile("```console\n[$] (mayfly [^\n]*)\n(.*?)```", Pattern.DOTALL);
  private static final String STALE =
      " is stale: ./build -pl cli -am test -Dtest=SimulateDocsTest -Dmayfly.docs=write";

  @TempDir Path folder;

  @Test
  void pageHasWhatItsCommandsPrint() throws IOException {
    var page = Files.readString(PAGE);
    var shown =
        BLOCK
            .matcher(page)
            .replaceAll(block ->
                "```console\n\\$ %s\n%s```"
                    .formatted(block.group(1), Matcher.quoteReplacement(printed(block.group(1)))));
    if (writes()) Files.writeString(PAGE, shown);

    assertThat(Files.readString(PAGE)).as(PAGE + STALE).isEqualTo(shown);
  }

  @Test
  void pictureIsWhatIsDrawn() throws IOException {
    var drawn = folder.resolve("night.svg");
    printed("mayfly simulate examples/simulate/night.yaml --plot " + drawn);
    var svg = Files.readString(drawn).replace("../examples/", "examples/");
    if (writes()) Files.writeString(PICTURE, svg);

    assertThat(Files.readString(PICTURE)).as(PICTURE + STALE).isEqualTo(svg);
  }

  private static boolean writes() {
    return "write".equals(System.getProperty("mayfly.docs"));
  }

  /** What a command of the page prints, whose files are relative to the project. */
  private String printed(String command) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var args =
        Arrays.stream(command.split(" "))
            .skip(1)
            .map(word -> word.startsWith("examples/") ? "../" + word : word)
            .toArray(String[]::new);
    var context =
        new CliContext(
            Map.of("MAYFLY_HOME", folder.toString()),
            TestScreen.plain(out, err, 80),
            new ConditionPoller(() -> Instant.EPOCH, _ -> {}),
            () -> "id",
            folder);
    assertThat(Main.run(context, args)).as(err.toString(UTF_8)).isZero();
    return out.toString(UTF_8).replace("../examples/", "examples/");
  }
}
