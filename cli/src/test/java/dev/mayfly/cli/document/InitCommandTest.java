package dev.mayfly.cli.document;

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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly init} without a cloud. */
class InitCommandTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int width = 80;

  @Test
  void everyGroupIsValidWithoutWarning() {
    for (var group : TemplateGroup.words()) {
      assertThat(mayfly("init", group, folder.resolve(group).toString())).as(group).isZero();

      var cluster = folder.resolve(group).resolve("cluster.yaml").toString();
      var job = folder.resolve(group).resolve("job.yaml").toString();
      assertThat(mayfly("validate", cluster, job)).as(group + ": " + err()).isZero();
      assertThat(err()).as(group).isEmpty();
    }
  }

  @Test
  void templatesAreExplained() {
    for (var group : TemplateGroup.values())
      for (var file : group.files()) {
        var lines = group.text(file).lines().toList();
        assertThat(lines.getFirst()).as(group + " " + file).startsWith("# ");
        assertThat(lines.stream().filter(line -> line.strip().startsWith("#")))
            .as(group + " " + file)
            .hasSizeGreaterThan(3);
        assertThat(lines).as(group + " " + file).allMatch(line -> line.length() <= 140);
      }
  }

  @Test
  void nextCommandsAreShown() {
    assertThat(mayfly("init", "sweep", "work")).isZero();

    assertThat(out())
        .startsWith("wrote work/cluster.yaml and work/job.yaml\n")
        .contains("  mayfly validate work/cluster.yaml work/job.yaml\n")
        .contains("  mayfly up work/cluster.yaml\n")
        .contains("  mayfly submit work/job.yaml --follow\n");
    assertThat(folder.resolve("work/job.yaml")).content().contains("seeds: 3");
  }

  @Test
  void firstJobComesWithItsProgram() {
    assertThat(mayfly("init", "hello", "hi")).isZero();

    assertThat(out())
        .startsWith("wrote hi/cluster.yaml, hi/job.yaml and hi/hello.py\n")
        .contains("mayfly local")
        .contains("  mayfly up hi/cluster.yaml\n  mayfly submit hi/job.yaml --follow\n")
        .doesNotContain("change them");
    assertThat(folder.resolve("hi/hello.py")).content().contains("MAYFLY_OUTPUT");
  }

  @Test
  void existingProgramIsKept() throws IOException {
    var mine = Files.writeString(folder.resolve("hello.py"), "mine");

    assertThat(mayfly("init", "hello")).isEqualTo(2);
    assertThat(err()).contains("hello.py is there already");
    assertThat(mine).content().isEqualTo("mine");
    assertThat(folder.resolve("cluster.yaml")).doesNotExist();
  }

  @Test
  void existingFileIsKeptWithoutForce() throws IOException {
    var mine = Files.writeString(folder.resolve("job.yaml"), "mine");

    assertThat(mayfly("init", "files")).isEqualTo(2);
    assertThat(err()).contains("job.yaml is there already").contains("--force");
    assertThat(mine).content().isEqualTo("mine");
    assertThat(folder.resolve("cluster.yaml")).doesNotExist();

    assertThat(mayfly("init", "files", "--force")).isZero();
    assertThat(mine).content().contains("reddit-toxicity");
  }

  @Test
  void commandsToCopyQuoteTheFolder() {
    assertThat(mayfly("init", "sweep", "my work/it's")).isZero();

    assertThat(out())
        .contains("  mayfly up 'my work/it'\\''s/cluster.yaml'\n")
        .contains("  mayfly submit 'my work/it'\\''s/job.yaml' --follow\n");
    assertThat(mayfly("init", "hello", "a b")).isZero();
    assertThat(out()).contains("  mayfly up 'a b/cluster.yaml'\n");
  }

  @Test
  void linkIsNotFollowed() throws IOException {
    var elsewhere = folder.resolve("elsewhere");
    var link = Files.createSymbolicLink(folder.resolve("job.yaml"), elsewhere);

    assertThat(mayfly("init", "files")).isEqualTo(2);
    assertThat(err()).contains("job.yaml is there already");
    assertThat(mayfly("init", "files", "--force")).isZero();
    assertThat(elsewhere).doesNotExist();
    assertThat(link).isRegularFile();
  }

  @Test
  void groupsAreListed() {
    assertThat(mayfly("init", "--list")).isZero();
    assertThat(out().lines()).hasSize(9).allMatch(line -> line.length() <= 80);
    assertThat(out().lines().toList().get(1)).startsWith("hello     A first job");
    assertThat(out()).contains("sweep     Experiments with seeds");

    assertThat(mayfly("init", "--list", "-o", "json")).isZero();
    assertThat(out()).startsWith("[{\"group\":\"hello\",\"what\":\"A first job");
  }

  @Test
  void unknownGroupNamesKnownOnes() {
    assertThat(mayfly("init", "gpu")).isEqualTo(2);

    assertThat(err()).contains("'gpu' is not a group; the groups are hello, sweep, files, gang,");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void jsonNamesFilesAndNextCommands() {
    assertThat(mayfly("init", "machines", "-o", "json")).isZero();

    assertThat(out())
        .startsWith("{\"group\":\"machines\",\"files\":[\"cluster.yaml\",\"job.yaml\"]")
        .contains("mayfly worker join --pool phortx");
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }

  private int mayfly(String... args) {
    out.reset();
    err.reset();
    var screen = TestScreen.plain(out, err, width);
    var env = Map.of("MAYFLY_HOME", folder.resolve("no-cloud").toString());
    var clock = new ConditionPoller(() -> Instant.EPOCH, _ -> {});
    return Main.run(new CliContext(env, screen, clock, () -> "id", folder), args);
  }
}
