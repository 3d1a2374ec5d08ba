package dev.mayfly.agent.task;

import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.AttemptDir;
import dev.mayfly.agent.os.Disk;
import dev.mayfly.agent.os.Evidence;
import dev.mayfly.agent.os.Exit;
import dev.mayfly.agent.os.LaunchSteps;
import dev.mayfly.agent.os.Limits;
import dev.mayfly.agent.os.WholeKill;
import dev.mayfly.agent.os.WholeKill.Killed;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.SyncReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees attempts to their end: nothing is told before none of their processes is left. */
final class Ender {
  private static final Logger LOG = LoggerFactory.getLogger(Ender.class);
  private static final int SIGKILL = 137;
  private static final Exit KILLED = new Exit.Signal(9);
  private static final String LARGER_DISK =
      "a larger disk is machine.disk.sizeGb of its pool. Its last words: ";

  /** A failure waits for a log that can't be sent no longer than this. */
  private static final int LOG_SECONDS = 10;

  private final WholeKill wholeKill;
  private final Disk disk;
  private final Logs logs;
  private final Consumer<AgentEvent> events;

  Ender(WholeKill wholeKill, Disk disk, Logs logs, Consumer<AgentEvent> events) {
    this.wholeKill = wholeKill;
    this.disk = disk;
    this.logs = logs;
    this.events = events;
  }

  /** The attempt's first process ended by itself. */
  void exited(Task task, Exit exit) {
    if (!task.exited()) {
      return;
    }
    try {
      tellExit(task, code(exit));
    } catch (RuntimeException mistake) {
      killAfter(
          mistake,
          task,
          why ->
              new AgentEvent.Exited(
                  task.attempt(), code(exit), Cause.INFRASTRUCTURE, Failure.fit(why)));
    }
  }

  private void tellExit(Task task, int code) {
    var known = task.bounds().flatMap(bounds -> cause(bounds, code));
    // Before its files are taken away.
    var trouble = code == 0 ? Optional.<String>empty() : disk.trouble();
    if (untilNothingIsLeft(task, () -> wholeKill.after(task.processes()))) {
      var words = code == 0 ? "" : task.dir().map(AttemptDir::log).map(Evidence::of).orElse("");
      var evidence = task.confidential().redact(words);
      var logged = end(task);
      // What went wrong can be read by whoever hears that it did.
      if (code != 0) logged.completeOnTimeout(null, LOG_SECONDS, TimeUnit.SECONDS).join();
      events.accept(exited(task, code, known, trouble, evidence));
    }
  }

  /** What the system that bounded it knows of its end. */
  private static Optional<Cause> cause(Limits.Bounds bounds, int code) {
    if (code == SIGKILL && bounds.ranOutOfMemory()) return Optional.of(Cause.OUT_OF_MEMORY);
    return bounds.neverBegan(code) ? Optional.of(Cause.INFRASTRUCTURE) : Optional.empty();
  }

  /**
   * A mistake of ours about one attempt ends that attempt alone, once nothing of it is left. Throws
   * if not even that works: then the agent ends, and the next one begins by killing everything.
   */
  private void killAfter(RuntimeException mistake, Task task, Function<String, AgentEvent> event) {
    LOG.error("a mistake in Mayfly; the agent continues, attempt={}", task.id(), mistake);
    if (!untilNothingIsLeft(task, () -> wholeKill.kill(task.processes(), Duration.ZERO))) return;
    task.ended();
    events.accept(event.apply("a mistake in Mayfly (details in the agent's log): " + mistake));
  }

  /** Commands rarely say clearly that a disk is full, so the disk is looked at. */
  private static AgentEvent exited(
      Task task, int code, Optional<Cause> known, Optional<String> disk, String words) {
    if (known.isPresent()) return new AgentEvent.Exited(task.attempt(), code, known.get(), words);
    if (code == LaunchSteps.REFUSED && words.contains(LaunchSteps.SAID))
      return new AgentEvent.Exited(task.attempt(), code, Cause.INFRASTRUCTURE, words);
    if (disk.isEmpty()) return new AgentEvent.Exited(task.attempt(), code, Cause.USER, words);
    var evidence = disk.get() + " when it ended; " + LARGER_DISK + words;
    return new AgentEvent.Exited(task.attempt(), code, Cause.INFRASTRUCTURE, Failure.fit(evidence));
  }

  /** The attempt is to end now. */
  void kill(Task task, Duration grace) {
    try {
      tellKill(task, grace);
    } catch (RuntimeException mistake) {
      killAfter(mistake, task, _ -> new AgentEvent.Killed(task.attempt(), ended(task)));
    }
  }

  private void tellKill(Task task, Duration grace) {
    if (!grace.isZero()) giveNotice(task, grace);
    var first = wholeKill.kill(task.processes(), grace);
    if (first.confirmed()
        || untilNothingIsLeft(task, () -> wholeKill.kill(task.processes(), Duration.ZERO))) {
      var unused = end(task);
      events.accept(new AgentEvent.Killed(task.attempt(), ended(task)));
    }
  }

  private static void giveNotice(Task task, Duration grace) {
    try {
      if (task.dir().isPresent()) task.dir().get().giveNotice(grace);
    } catch (IOException e) {
      // The signal tells it too.
      LOG.warn("no notice file attempt={} reason={}", task.id(), e.toString());
    }
  }

  /** False only when this thread is to stop. */
  private boolean untilNothingIsLeft(Task task, Supplier<Killed> kill) {
    task.bounds().ifPresent(Limits.Bounds::kill);
    boolean told = false;
    for (var killed = kill.get(); !killed.confirmed(); killed = kill.get()) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (!told) {
        LOG.error("kill not confirmed attempt={} left={}", task.id(), killed.left());
        var trouble =
            SyncReport.DEGRADED
                + "processes of "
                + task.id()
                + " cannot be killed: "
                + killed.left();
        events.accept(new AgentEvent.DeviceTrouble(Optional.of(trouble)));
        told = true;
      }
    }
    if (told) {
      events.accept(new AgentEvent.DeviceTrouble(Optional.empty()));
    }
    return true;
  }

  /** Completes when its log is in the store. */
  private CompletableFuture<Void> end(Task task) {
    task.bounds().ifPresent(Limits.Bounds::close);
    task.ended();
    return logs.finish(task.id());
  }

  /**
   * How its first process ended, which may have used the time that it was given to end by itself.
   */
  private static int ended(Task task) {
    return task.processes()
        .first()
        .map(first -> first.exit().copy().completeOnTimeout(KILLED, 1, TimeUnit.SECONDS).join())
        .map(Ender::code)
        .orElse(SIGKILL);
  }

  static int code(Exit exit) {
    return switch (exit) {
      case Exit.Code(int code) -> code;
      case Exit.Signal(int number) -> 128 + number;
    };
  }
}
