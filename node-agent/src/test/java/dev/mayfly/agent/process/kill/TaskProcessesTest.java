package dev.mayfly.agent.process.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.process.ProcessExit;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.kill.ProcessTreeKiller.AttemptProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a process without markers is: an attempt's that is being started, or nobody's. */
final class TaskProcessesTest {
  private static final int AGENT = (int) ProcessHandle.current().pid();
  private static final int STRAY = AGENT + 1;
  private static final int YOUNG = AGENT + 2;
  private static final int LATER = AGENT + 3;
  private static final AttemptProcesses ENDED =
      new AttemptProcesses("ended", Optional.empty(), false);

  @TempDir Path folder;
  private Path proc;
  private final List<AttemptProcesses> live = new ArrayList<>();

  @BeforeEach
  void agentWithStrayAndYoungerAttempt() throws IOException {
    proc = Files.createDirectory(folder.resolve("proc"));
    write(AGENT, 1, AGENT, 100);
    write(STRAY, AGENT, STRAY, 200);
    write(YOUNG, AGENT, YOUNG, 300);
    live.add(new AttemptProcesses("young", Optional.of(process(YOUNG)), false));
  }

  @Test
  void strayIsOlderThanEveryAttempt() {
    assertThat(leftovers()).containsExactly(STRAY);
    assertThat(ofEnded()).containsExactly(STRAY);
  }

  /** Before it runs its program, a process has no markers, and only its launcher knows it. */
  @Test
  void whatIsBeingStartedIsNoStray() {
    live.add(new AttemptProcesses("starting", Optional.empty(), false));

    assertThat(leftovers()).isEmpty();
    assertThat(ofEnded()).isEmpty();
  }

  /** gcsfuse leaves its session and environment, and serves tasks until the machine ends. */
  @Test
  void whatWasAdoptedBeforeTasksIsNoStray() throws IOException {
    var processes = processes();
    processes.spareAdopted();
    write(LATER, AGENT, LATER, 250);

    assertThat(pids(processes.ofEnded(() -> live))).containsExactly(LATER);
    assertThat(pids(processes.of(ENDED, () -> live))).containsExactly(LATER);
    assertThat(processes.isSpared(STRAY)).isTrue();
    assertThat(processes.isSpared(LATER)).isFalse();
  }

  private List<Integer> leftovers() {
    return pids(processes().of(ENDED, () -> live));
  }

  private List<Integer> ofEnded() {
    return pids(processes().ofEnded(() -> live));
  }

  private TaskProcesses processes() {
    return new TaskProcesses(folder, new ProcessTable(proc));
  }

  private static List<Integer> pids(List<TaskProcesses.TaskProcess> found) {
    return found.stream().map(TaskProcesses.TaskProcess::pid).toList();
  }

  /** As Linux shows a process: the sixth field is its session, the 22nd its start in ticks. */
  private void write(int pid, int parent, int session, long started) throws IOException {
    var process = Files.createDirectory(proc.resolve(Integer.toString(pid)));
    Files.writeString(
        process.resolve("stat"),
        "%d (sh) S %d %d %d%s %d 0".formatted(pid, parent, pid, session, " 0".repeat(15), started));
    Files.writeString(process.resolve("environ"), "PATH=/bin\0");
  }

  private static RunningProcess process(int pid) {
    return new RunningProcess() {
      @Override
      public long pid() {
        return pid;
      }

      @Override
      public CompletableFuture<ProcessExit> exit() {
        return new CompletableFuture<>();
      }

      @Override
      public void signal(Sig signal) {}
    };
  }
}
