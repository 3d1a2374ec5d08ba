package dev.mayfly.agent.process.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.kill.ProcessTable.Entry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrphanReaperTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final OrphanReaper orphanReaper = OrphanReaper.none();

  private List<Integer> due(List<Entry> dead, int known, int second) {
    var now = Duration.ofSeconds(second).toNanos();
    return orphanReaper.due(dead, pid -> pid == known, now, PATIENCE).stream()
        .map(Entry::pid)
        .toList();
  }

  /** Who waits for another's child takes its exit code away. */
  @Test
  void firstProcessesAreLeftToTheirOwnThread() {
    var dead = List.of(zombie(7), zombie(8));

    assertThat(due(dead, 7, 0)).isEmpty();
    assertThat(due(dead, 7, 100)).containsExactly(8);
  }

  @Test
  void childrenOfJavaHaveTimeToBeWaitedFor() {
    var child = List.of(zombie(8));
    assertThat(due(child, 0, 0)).isEmpty();
    assertThat(due(child, 0, 4)).isEmpty();
    assertThat(due(child, 0, 5)).containsExactly(8);

    assertThat(due(List.of(), 0, 6)).isEmpty();
    assertThat(due(child, 0, 7)).as("its number was used again").isEmpty();
  }

  private static Entry zombie(int pid) {
    return new Entry(pid, 1, pid, 'Z', 1);
  }
}
