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
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
  private PrintStream out = new PrintStream(err, true, UTF_8);
  private byte[] input = {};
  private boolean terminal;
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
    InputStream standardInput() {
      return new ByteArrayInputStream(input);
    }

    @Override
    CopyPlace place(String text) {
      return text.startsWith("file://")
          ? new CopyPlace.InBucket(ObjectUrl.of(text))
          : CopyPlace.of(text, here);
    }
  }

  private void copy(String source, String destination) {
    var words = new PrintStream(err, true, UTF_8);
    var screen = TestScreen.of(out, words, terminal, false, Screen.ENDLESS);
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

  @Test
  void dashIsTheStandardOutputByteForByte() throws IOException {
    var bytes = someBytes();
    Files.write(Files.createDirectories(store).resolve("a"), bytes);
    Files.write(machine.resolve("a"), bytes);
    var printed = new ByteArrayOutputStream();
    out = new PrintStream(printed, true, UTF_8);

    copy("file://" + store + "/a", "-");
    assertThat(printed.toByteArray()).isEqualTo(bytes);
    printed.reset();
    copy("w:a", "-");

    assertThat(printed.toByteArray()).isEqualTo(bytes);
    assertThat(here).isEmptyDirectory();
    assertThat(err.toString(UTF_8)).contains("copied w:a to - (");
  }

  @Test
  void dashIsTheStandardInputByteForByte() {
    input = someBytes();

    copy("-", "file://" + store + "/b");
    copy("-", "w:b");

    assertThat(store.resolve("b")).hasBinaryContent(input);
    assertThat(machine.resolve("b")).hasBinaryContent(input);
    assertThat(here).isEmptyDirectory();
  }

  @Test
  void terminalGetsNoFile() throws IOException {
    Files.write(Files.createDirectories(store).resolve("a"), someBytes());
    terminal = true;

    assertThatThrownBy(() -> copy("file://" + store + "/a", "-"))
        .hasMessageContaining("a terminal would obey what is in the file")
        .hasMessageContaining("- | less");
    assertThat(err.size()).isZero();
  }

  @Test
  void dashTakesOneFile() throws IOException {
    Files.createDirectory(machine.resolve("data"));

    assertThatThrownBy(() -> copy("w:data", "-")).hasMessageContaining("is not a single file");
    assertThatThrownBy(() -> copy("file://" + store + "/in/", "-"))
        .hasMessageContaining("is a folder, and the standard output takes one object");
    assertThatThrownBy(() -> copy("-", "file://" + store + "/in/"))
        .hasMessageContaining("the standard input has no name; name the object: file://");
    assertThatThrownBy(() -> copy("-", "a")).hasMessageContaining("both places are on this");
    assertThatThrownBy(() -> copy("-", "-")).hasMessageContaining("both places are on this");
  }

  @Test
  void readerThatWantsNoMoreEndsTheCopy() throws IOException {
    Files.write(Files.createDirectories(store).resolve("a"), new byte[1 << 20]);
    var taken = new ByteArrayOutputStream();
    out =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int one) throws IOException {
                if (taken.size() == 70_000) throw new IOException("Broken pipe");
                taken.write(one);
              }
            });

    copy("file://" + store + "/a", "-");

    assertThat(taken.size()).isEqualTo(70_000);
    assertThat(err.toString(UTF_8)).doesNotContain("copied");
    var more = new ByteArrayInputStream(new byte[1 << 20]);
    new StandardStreams(InputStream.nullInputStream(), out).send(more);
    assertThat(more.available()).as("not read").isPositive();
  }

  /** All bytes there are, some of which are no text. */
  private static byte[] someBytes() {
    var bytes = new byte[100_000];
    for (var i = 0; i < bytes.length; i++) bytes[i] = (byte) i;
    return bytes;
  }
}
