package dev.mayfly.cli.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaticWorkerFolderTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private Instant now = Instant.EPOCH;

  @Test
  void secondJoinNamesHolderOfFolder() {
    try (var held = StaticWorkerFolder.acquire(folder.resolve("desk"))) {
      assertThat(held).isNotNull();
      assertThatThrownBy(() -> StaticWorkerFolder.acquire(folder.resolve("desk")))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining("--dir");
    }

    try (var next = StaticWorkerFolder.acquire(folder.resolve("desk"))) {
      assertThat(next).isNotNull();
    }
  }

  @Test
  void withoutAgentNothingIsAwaited() throws IOException {
    agent().close();

    await(() -> {
      throw new AssertionError("waited");
    });

    assertThat(said.toString(UTF_8)).isEmpty();
  }

  @Test
  void earlierAgentEndsFirst() throws IOException {
    var agent = agent();

    await(() -> close(agent));

    assertThat(agent.isOpen()).isFalse();
    assertThat(said.toString(UTF_8)).contains("process 4711");
  }

  @Test
  void agentThatDoesNotEndIsReportedWithRemedy() throws IOException {
    try (var agent = agent()) {
      assertThat(agent.isOpen()).isTrue();
      assertThatThrownBy(() -> await(() -> {}))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("kill -9 4711");
    }
  }

  private void await(Runnable meanwhile) {
    var conditionPoller =
        new ConditionPoller(
            () -> now,
            span -> {
              meanwhile.run();
              now = now.plus(span).plus(Duration.ofSeconds(1));
            });
    var screen = TestScreen.plain(System.out, new PrintStream(said, true, UTF_8), Screen.ENDLESS);
    try (var held = StaticWorkerFolder.acquire(folder)) {
      held.awaitNoAgent(conditionPoller, screen);
    }
  }

  /** What an agent does with its work folder. */
  private FileChannel agent() throws IOException {
    var file = Files.createDirectories(folder.resolve("work")).resolve("lock");
    Files.writeString(file, "4711\n");
    var channel = FileChannel.open(file, StandardOpenOption.WRITE);
    assertThat(channel.tryLock()).isNotNull();
    return channel;
  }

  private static void close(FileChannel agent) {
    try {
      agent.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
