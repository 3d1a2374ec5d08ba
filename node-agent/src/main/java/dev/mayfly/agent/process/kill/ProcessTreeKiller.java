package dev.mayfly.agent.process.kill;

import dev.mayfly.agent.process.RunningProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Ends every process of an attempt, and says whether it did.
 *
 * <p>A process belongs to an attempt if it carries the attempt's mark in its environment, is in the
 * session of the attempt's first process, or descends from such a process. One that shed all three
 * ends as a child of the agent (which adopts orphans), and is taken for a process of an attempt
 * that has ended as soon as it is older than every attempt that runs.
 *
 * <p>What another incarnation of the agent left is known by the same marks, and by the session of
 * each first process, which is on the disk ({@link FirstProcess}).
 *
 * <p>All methods block; call them on a thread of their own. Repeating any of them is harmless.
 */
public final class ProcessTreeKiller {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final TaskProcesses taskProcesses;
  private final Supplier<OrphanReaper> orphanReaper;
  private final Supplier<Collection<AttemptProcesses>> live;
  private final Duration patience;

  /**
   * @param workRoot what the processes of this agent carry as {@link TaskMarkers#TASK_OF}
   * @param orphanReaper asked for only once something was started
   * @param live the attempts that run or are just being started
   * @param patience for how long SIGKILL is repeated before we report what is left
   */
  public ProcessTreeKiller(
      Path workRoot,
      Supplier<OrphanReaper> orphanReaper,
      Supplier<Collection<AttemptProcesses>> live,
      Duration patience) {
    this.live = live;
    this.taskProcesses = new TaskProcesses(workRoot, new ProcessTable());
    this.orphanReaper = orphanReaper;
    this.patience = patience;
  }

  /**
   * An attempt, from before its first process starts.
   *
   * @param first its first process, once it was started
   * @param contained whether that is the client of a container engine
   */
  public record AttemptProcesses(String id, Optional<RunningProcess> first, boolean contained) {}

  /**
   * What a kill came to.
   *
   * @param left processes that still live; only when there are none is the capacity free
   */
  public record KillResult(List<Integer> left) {
    public KillResult {
      left = List.copyOf(left);
    }

    /** Whether nothing is left. */
    public boolean confirmed() {
      return left.isEmpty();
    }
  }

  /** Asks the attempt's processes to end, waits for {@code grace}, then kills what is left. */
  public KillResult kill(AttemptProcesses attemptProcesses, Duration grace) {
    if (!grace.isZero()) {
      askToEnd(attemptProcesses, grace);
    }
    attemptProcesses.first().ifPresent(first -> first.signal(RunningProcess.Sig.KILL));
    var killResult = killAll(() -> taskProcesses.of(attemptProcesses, live));
    orphanReaper.get().reap();
    return killResult;
  }

  /** Kills what an attempt left whose first process ended by itself. */
  public KillResult killLeftovers(AttemptProcesses attemptProcesses) {
    var firsts = TaskProcesses.sessions(live.get());
    if (!orphanReaper.get().mayHaveLeftovers(firsts::contains)) {
      return new KillResult(List.of());
    }
    var killResult = killAll(() -> taskProcesses.of(attemptProcesses, live));
    orphanReaper.get().reap();
    return killResult;
  }

  /**
   * Kills the processes of attempts of this agent that have ended, and waits for dead orphans.
   * Cheap while there is none.
   */
  public KillResult sweep() {
    var firsts = TaskProcesses.sessions(live.get());
    if (!orphanReaper.get().mayHaveLeftovers(firsts::contains)) {
      return new KillResult(List.of());
    }
    var killResult = killAll(() -> taskProcesses.ofEnded(live));
    orphanReaper.get().reap();
    return killResult;
  }

  /** Kills what earlier incarnations left under this work directory; before anything is started. */
  public static KillResult killEarlier(Path workRoot, Duration patience) {
    var kill = new ProcessTreeKiller(workRoot, OrphanReaper::none, List::of, patience);
    return kill.killAll(kill.taskProcesses::ofAnyIncarnation);
  }

  private void askToEnd(AttemptProcesses attemptProcesses, Duration grace) {
    var inside = taskProcesses.inside(attemptProcesses, live);
    if (inside.isEmpty()) {
      var session = attemptProcesses.first().map(RunningProcess::pid).orElse(-1L);
      attemptProcesses.first().ifPresent(first -> first.signal(RunningProcess.Sig.TERM));
      taskProcesses.of(attemptProcesses, live).stream()
          .filter(process -> process.session() != session)
          .forEach(process -> process.end(RunningProcess.Sig.TERM));
    } else {
      inside.forEach(process -> process.end(RunningProcess.Sig.TERM));
    }
    var deadline = System.nanoTime() + grace.toNanos();
    while (System.nanoTime() < deadline && !taskProcesses.of(attemptProcesses, live).isEmpty()) {
      if (!pause()) {
        return;
      }
    }
  }

  /**
   * Looks twice before it believes that nothing is left: a process that forks and ends while we
   * read the table can hide its child behind the place that we have passed.
   */
  private KillResult killAll(Supplier<List<TaskProcesses.TaskProcess>> find) {
    var deadline = System.nanoTime() + patience.toNanos();
    int empty = 0;
    while (true) {
      var found = find.get();
      empty = found.isEmpty() ? empty + 1 : 0;
      if (empty == 2) {
        return new KillResult(List.of());
      }
      found.forEach(process -> process.end(RunningProcess.Sig.KILL));
      if (!found.isEmpty() && (System.nanoTime() > deadline || !pause())) {
        return new KillResult(found.stream().map(TaskProcesses.TaskProcess::pid).toList());
      }
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
