package dev.mayfly.cli.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.port.ObjectUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole copies, where folders of this computer are the machine and the bucket. */
@Timeout(60)
class TransferCommandTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;
  private Path machine;
  private Path here;
  private Path store;

  @BeforeEach
  void start() throws IOException {
    machine = Files.createDirectory(folder.resolve("machine"));
    here = Files.createDirectory(folder.resolve("here"));
    store = folder.resolve("store");
    control = new FakeControlPlane();
    control.announce(folder);
    control.clusters.put("lab", ViewFixtures.cluster());
    control.workers.add(ViewFixtures.worker("w", "n2-standard-2", "j1"));
    onMachine("cd '%s' && shift 2 && exec \"$@\"".formatted(machine));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  /** What runs for each command that is sent to the machine, after {@code --machine ID}. */
  private void onMachine(String script) throws IOException {
    var program = folder.resolve("node-agent/src/bundle/enter-task");
    Files.createDirectories(program.getParent());
    Files.writeString(program, script);
  }

  private final class Copy extends TransferCommand {
    Copy(CliContext cliContext) {
      super(cliContext);
    }

    @Override
    CopyPlace place(String text) {
      return text.startsWith("file://")
          ? new CopyPlace.InBucket(ObjectUrl.of(text))
          : CopyPlace.of(text, here);
    }
  }

  private void copy(String source, String destination) {
    var print = new PrintStream(err, true, UTF_8);
    var screen = TestScreen.plain(print, print, Screen.ENDLESS);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var env = Map.of("MAYFLY_HOME", folder.toString(), "MAYFLY_PROJECT_DIR", folder.toString());
    var copy = new Copy(new CliContext(env, screen, conditionPoller, () -> "id"));
    copy.source = source;
    copy.destination = destination;
    assertThat(copy.call()).isZero();
  }

  @Test
  void linkOfMachineIsNotSentOn() throws IOException {
    var secret = Files.writeString(here.resolve("secret"), "mine");
    Files.createSymbolicLink(machine.resolve("out"), secret);
    // An honest one sends what the link leads to there.
    onMachine("exec tar -cf - -C '%s' out".formatted(machine));

    assertThatThrownBy(() -> copy("w:out", "file://" + store + "/out"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("w:out is a link");
    assertThat(store).doesNotExist();
  }

  @Test
  void machineDoesNotNameTheCopy() throws IOException {
    Files.writeString(machine.resolve(".bashrc"), "evil");
    onMachine("exec tar -cf - -C '%s' .bashrc".formatted(machine));

    copy("w:", ".");

    assertThat(here.resolve(".bashrc")).doesNotExist();
    assertThat(here.resolve("w")).hasContent("evil");
  }

  @Test
  void sizeLeavesOutLinksInside() throws IOException {
    var data = Files.createDirectories(machine.resolve("data"));
    Files.writeString(data.resolve("a"), "one");
    Files.createSymbolicLink(data.resolve("b"), Path.of("a"));

    copy("w:data", ".");

    assertThat(err.toString(UTF_8))
        .contains("copied w:data to " + here.resolve("data") + " (3 bytes,");
  }

  @Test
  void copyIntoFolderNamesItsPlaceThere() throws IOException {
    Files.writeString(here.resolve("a"), "one");
    Files.createDirectory(machine.resolve("data"));
    var bucket = "file://" + store + "/in/";

    copy("a", "w:");
    copy("a", "w:data");
    copy("a", "w:b");
    copy("a", bucket);

    assertThat(err.toString(UTF_8))
        .contains("copied a to w:a (", "copied a to w:data/a (", "copied a to w:b (")
        .contains("copied a to " + bucket + "a (");
    assertThat(machine.resolve("data/a")).hasContent("one");
  }

  @Test
  void sizeOfLinkIsThatOfItsFile() throws IOException {
    Files.writeString(here.resolve("run-7"), "seven");
    Files.createSymbolicLink(here.resolve("last"), Path.of("run-7"));

    copy("last", "file://" + store + "/last");

    assertThat(store.resolve("last")).hasContent("seven");
    assertThat(err.toString(UTF_8)).contains("/last (5 bytes,");
  }
}
