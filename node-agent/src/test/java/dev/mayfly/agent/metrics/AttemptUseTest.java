package dev.mayfly.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptUseTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MIB = 1L << 20;

  @TempDir Path root;

  private void process(long pid, long parent, long session, long ticks, long mib)
      throws IOException {
    var folder = Files.createDirectories(root.resolve(Long.toString(pid)));
    Files.writeString(
        folder.resolve("stat"),
        "%d (a) b) S %d 1 %d 0 0 0 0 0 0 0 %d 0 5 0 20 0 1 0 99 0 0"
            .formatted(pid, parent, session, ticks));
    Files.writeString(
        folder.resolve("status"),
        "Name:\ta\nVmRSS:\t999999 kB\nRssAnon:\t%d kB\nRssFile:\t7777 kB\nRssShmem:\t0 kB\n"
            .formatted(mib * 1024));
  }

  private void look(AttemptUse use) {
    use.look(10, new MachineProcesses(root));
  }

  @Test
  void treeOfProcessesIsSummed() throws IOException {
    process(1, 0, 1, 9_000, 900);
    process(10, 1, 10, 95, 100);
    process(11, 1, 10, 95, 50);
    process(12, 11, 12, 195, 50);
    var use = new AttemptUse(Optional.empty(), 0);
    look(use);

    assertThat(use.last(8 * SECOND)).contains(new TaskUse(4, 0.5, 200 * MIB));
  }

  /** A runner has had other tasks before. */
  @Test
  void usedBeforeItBeganIsNotItsOwn() throws IOException {
    process(10, 1, 10, 895, 900);
    var use = new AttemptUse(Optional.empty(), 0);
    use.begin(10, new MachineProcesses(root));
    assertThat(use.last(8 * SECOND)).isEmpty();
    process(10, 1, 10, 1295, 100);
    look(use);

    assertThat(use.last(8 * SECOND)).contains(new TaskUse(4, 0.5, 100 * MIB));
  }

  /** Only which processes there are may be known from a moment before. */
  @Test
  void whatItUsedBeforeIsReadAnew() throws IOException {
    process(10, 1, 10, 95, 900);
    process(11, 10, 10, 95, 900);
    var before = new MachineProcesses(root);
    assertThat(before.memoryOfTree(10)).isPositive();
    process(10, 1, 10, 895, 900);
    var use = new AttemptUse(Optional.empty(), 0);
    use.begin(10, before);
    process(10, 1, 10, 1295, 100);
    look(use);

    assertThat(use.last(8 * SECOND)).contains(new TaskUse(4, 0.5, 1000 * MIB));
  }

  @Test
  void processThatIsYoungerThanTheListCounts() throws IOException {
    var before = new MachineProcesses(root);
    assertThat(before.memoryOfTree(10)).isZero();
    process(10, 1, 10, 895, 900);
    var use = new AttemptUse(Optional.empty(), 0);
    use.begin(10, before);
    process(10, 1, 10, 1295, 100);
    look(use);

    assertThat(use.last(8 * SECOND)).contains(new TaskUse(4, 0.5, 100 * MIB));
  }

  @Test
  void processesAreListedOnceSecond() {
    var recent = new RecentProcesses(root);
    var first = recent.at(SECOND);

    assertThat(recent.at(2 * SECOND)).isSameAs(first);
    assertThat(recent.at(2 * SECOND + 1)).isNotSameAs(first);
  }

  @Test
  void peakOutlivesTheProcess() throws IOException {
    process(10, 1, 10, 95, 100);
    process(11, 10, 10, 95, 500);
    var use = new AttemptUse(Optional.empty(), 0);
    look(use);
    Files.delete(root.resolve("11/stat"));
    look(use);

    assertThat(use.last(2 * SECOND)).contains(new TaskUse(2, 1, 600 * MIB));
  }

  @Test
  void whatEndedAtOnceIsNotMeasured() {
    var use = new AttemptUse(Optional.empty(), 0);
    look(use);

    assertThat(use.last(SECOND)).isEmpty();
  }

  /** The kernel's cache of files in a group may be taken back at any time. */
  @Test
  void groupCountsWithoutItsFiles() throws IOException {
    Files.writeString(root.resolve("cpu.stat"), "usage_usec 3000000\nuser_usec 1\n");
    Files.writeString(root.resolve("memory.stat"), "anon 1048576\nfile 99999999\nshmem 1048576\n");
    var use = new AttemptUse(Optional.of(root), 0);
    look(use);

    assertThat(use.last(4 * SECOND)).contains(new TaskUse(3, 0.75, 2 * MIB));
  }

  @Test
  void newsComeOnceMinute() throws IOException {
    process(10, 1, 10, 95, 100);
    var use = new AttemptUse(Optional.empty(), 0);
    look(use);

    assertThat(use.news(59 * SECOND)).isEmpty();
    assertThat(use.news(60 * SECOND)).isPresent();
    assertThat(use.news(90 * SECOND)).isEmpty();
    assertThat(use.news(120 * SECOND)).isPresent();
  }
}
