package dev.mayfly.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskItem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nobody expected to be thrown ends one attempt, and not the others. */
@Timeout(300)
final class MistakesTest {
  private static final Attempt ATTEMPT = new Attempt(new LeaseRef("j1", 0, 3), 7);
  private static final Attempt OTHER = new Attempt(new LeaseRef("j1", 0, 3), 8);

  @TempDir Path root;
  private TaskBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new TaskBench(root, reference -> "");
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private void start(Attempt attempt, String... command) {
    var item = new TaskItem(attempt.index(), Optional.empty(), Map.of());
    bench.tasks.start(
        new AgentEffect.Start(attempt, Sheets.sheet(Optional.empty(), command), item, List.of()));
  }

  @Test
  void mistakeAtExitFailsThatAttemptAlone() throws Exception {
    bench.room =
        () -> {
          throw new IllegalStateException("who expects this?");
        };
    start(ATTEMPT, "sh", "-c", "exit 3");

    var told = bench.next();

    assertThat(told)
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class,
            e -> {
              assertThat(e.attempt()).isEqualTo(ATTEMPT);
              assertThat(e.exitCode()).isEqualTo(3);
              assertThat(e.cause()).isEqualTo(Cause.INFRASTRUCTURE);
              assertThat(e.evidence()).contains("a mistake in Mayfly", "who expects this?");
            });
    start(OTHER, "sh", "-c", "exit 0");
    assertThat(bench.next())
        .isInstanceOfSatisfying(
            AgentEvent.Exited.class, e -> assertThat(e.exitCode()).isEqualTo(0));
  }
}
