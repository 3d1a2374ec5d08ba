package dev.mayfly.agent.runner;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.LastingFolders;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.agent.process.kill.ProcessTreeKiller.AttemptProcesses;
import dev.mayfly.core.model.job.TaskEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runners of this machine. One that has no task waits for the next of its job, and is ended
 * when that does not come for {@link #LONGEST_IDLE}, when another process needs its room, when its
 * job is stopped, and with the agent. Thread-safe.
 */
public final class RunnerPool {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerPool.class);

  /** A job that has more tasks for this machine gives the next one within seconds. */
  static final Duration LONGEST_IDLE = Duration.ofMinutes(1);

  /** It has no task, so there is little for it to put in order. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final ProcessTreeKiller processTreeKiller;
  private final LastingFolders lastingFolders;
  private final Executor threads;
  private final Set<Runner> all = new LinkedHashSet<>();

  /** Those without a task, with the time since when, the longest idle first. */
  private final Map<Runner, Long> idle = new LinkedHashMap<>();

  public RunnerPool(
      ProcessTreeKiller processTreeKiller, LastingFolders lastingFolders, Executor threads) {
    this.processTreeKiller = processTreeKiller;
    this.lastingFolders = lastingFolders;
    this.threads = threads;
  }

  Executor threads() {
    return threads;
  }

  /** The processes of all runners, of those that are being started too. */
  public synchronized Collection<AttemptProcesses> processes() {
    return all.stream().map(Runner::processes).toList();
  }

  /** An idle runner for a task of that kind, which is idle no more. */
  public synchronized Optional<Runner> take(RunnerKey key) {
    var found = idle.keySet().stream().filter(runner -> runner.key().equals(key)).findFirst();
    found.ifPresent(idle::remove);
    return found;
  }

  /**
   * A runner whose process is not started yet.
   *
   * @param id the marker of its processes
   * @param dir its own, with the job's code in it
   */
  public Runner add(String id, RunnerKey key, TaskEnvironment.Runner rules, AttemptDir dir)
      throws IOException {
    var runner = new Runner(id, key, rules, dir, this);
    synchronized (this) {
      all.add(runner);
    }
    return runner;
  }

  /** The runner waits for a task: nobody has it. */
  public synchronized void idle(Runner runner) {
    if (all.contains(runner)) idle.put(runner, System.nanoTime());
  }

  /** It had no task, and its process has ended, or must. */
  void ended(Runner runner) {
    threads.execute(() -> end(runner));
  }

  synchronized void forget(Runner runner) {
    all.remove(runner);
    idle.remove(runner);
    lastingFolders.leave(runner.id());
  }

  /**
   * Ends the idle runners that may hold what a new process needs: all but those of the same job on
   * other devices. Returns when they have ended; at once if there are none.
   *
   * @param key of the runner that is to be started; empty for a command
   */
  public void makeRoom(Optional<RunnerKey> key) {
    endIdle((runner, _) -> key.filter(runner.key()::isBeside).isEmpty());
  }

  /** Ends those of a job that was stopped. */
  public CompletableFuture<Void> stop(String job) {
    return later((runner, _) -> runner.key().job().equals(job));
  }

  /**
   * Ends those that have been idle for long.
   *
   * @param now as {@link System#nanoTime}
   */
  public CompletableFuture<Void> expire(long now) {
    return later((_, since) -> now - since >= LONGEST_IDLE.toNanos());
  }

  /** Ends all that are idle. */
  public CompletableFuture<Void> stopAll() {
    return later((_, _) -> true);
  }

  private interface Choice {
    boolean ends(Runner runner, long idleSince);
  }

  private CompletableFuture<Void> later(Choice choice) {
    var chosen = taken(choice);
    return chosen.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.runAsync(() -> chosen.forEach(this::end), threads);
  }

  private void endIdle(Choice choice) {
    taken(choice).forEach(this::end);
  }

  private synchronized List<Runner> taken(Choice choice) {
    Predicate<Map.Entry<Runner, Long>> ends = it -> choice.ends(it.getKey(), it.getValue());
    var chosen = idle.entrySet().stream().filter(ends).map(Map.Entry::getKey).toList();
    chosen.forEach(idle::remove);
    return chosen;
  }

  /** Ends a runner without a task; returns when none of its processes is left. */
  void end(Runner runner) {
    synchronized (this) {
      idle.remove(runner);
      if (!all.contains(runner)) return;
    }
    runner.end();
    var grace = GRACE;
    while (true) {
      var killed = processTreeKiller.kill(runner.processes(), grace);
      if (killed.confirmed()) break;
      if (Thread.currentThread().isInterrupted()) return;
      if (!grace.isZero())
        LOG.error("runner cannot be ended id={} left={}", runner.id(), killed.left());
      grace = Duration.ZERO;
    }
    runner.close();
  }
}
