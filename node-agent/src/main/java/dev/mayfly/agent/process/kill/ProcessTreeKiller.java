package dev.mayfly.agent.process.kill;

import dev.mayfly.agent.process.RunningProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Kills every process of an attempt and reports whether that succeeded.
 *
 * <p>A process belongs to an attempt if its environment has the attempt's marker, if it is in the
 * session of the attempt's first process, or if it descends from such a process. A process with
 * none of these becomes a child of the agent, which adopts orphans. It counts as a leftover of an
 * ended attempt once it is older than every running attempt, and none is being started.
 *
 * <p>Processes of earlier incarnations have the same markers, or are in the session of a first
 * process that is recorded on disk ({@link FirstProcess}).
 *
 * <p>All methods block, so call them on a separate thread. They are idempotent.
 */
public final class ProcessTreeKiller {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final TaskProcesses taskProcesses;
  private final Supplier<OrphanReaper> orphanReaper;
  private final Supplier<Collection<AttemptProcesses>> live;
  private final Duration patience;

  /**
   * @param workRoot the value of {@link TaskMarkers#TASK_OF} in this agent's processes
   * @param orphanReaper called only after the first start
   * @param live the attempts that run or are being started
   * @param patience how long SIGKILL is repeated before survivors are reported
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
   * Call it before the first attempt: what the agent has adopted until then serves its machine, as
   * gcsfuse does, which leaves its session and its environment, and is no attempt's.
   */
  public void spareAdopted() {
    taskProcesses.spareAdopted();
  }

  /** Whether the process is an attempt's first, or none of an attempt's. */
  private Predicate<Integer> known() {
    var firsts = TaskProcesses.sessions(live.get());
    return pid -> firsts.contains(pid) || taskProcesses.isSpared(pid);
  }

  /**
   * An attempt, from before its first process starts.
   *
   * @param first its first process, once started
   * @param contained whether that process is a container engine's client
   */
  public record AttemptProcesses(String id, Optional<RunningProcess> first, boolean contained) {}

  /**
   * The result of a kill.
   *
   * @param left surviving processes; capacity is free only if there are none
   */
  public record KillResult(List<Integer> left) {
    public KillResult {
      left = List.copyOf(left);
    }

    /** Whether no process survived. */
    public boolean confirmed() {
      return left.isEmpty();
    }
  }

  /** Terminates the attempt's processes, waits for {@code grace}, then kills the rest. */
  public KillResult kill(AttemptProcesses attemptProcesses, Duration grace) {
    if (!grace.isZero()) {
      askToEnd(attemptProcesses, grace);
    }
    attemptProcesses.first().ifPresent(first -> first.signal(RunningProcess.Sig.KILL));
    var firsts = TaskProcesses.sessions(live.get());
    var killResult = killAll(() -> taskProcesses.of(attemptProcesses, live));
    orphanReaper.get().reap(firsts::contains);
    return killResult;
  }

  /** Kills the leftovers of an attempt whose first process ended by itself. */
  public KillResult killLeftovers(AttemptProcesses attemptProcesses) {
    var known = known();
    if (!orphanReaper.get().mayHaveLeftovers(known)) {
      return new KillResult(List.of());
    }
    var killResult = killAll(() -> taskProcesses.of(attemptProcesses, live));
    orphanReaper.get().reap(known);
    return killResult;
  }

  /**
   * Kills processes of this agent's ended attempts and reaps dead orphans. Cheap if there are none.
   */
  public KillResult sweep() {
    var known = known();
    if (!orphanReaper.get().mayHaveLeftovers(known)) {
      return new KillResult(List.of());
    }
    var killResult = killAll(() -> taskProcesses.ofEnded(live));
    orphanReaper.get().reap(known);
    return killResult;
  }

  /** Kills what earlier incarnations left under this work directory. Call it before any start. */
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
   * Requires two empty readings: a process that forks and ends during a reading can hide its child
   * in the part already read.
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
