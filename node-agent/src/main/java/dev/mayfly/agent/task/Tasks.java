package dev.mayfly.agent.task;

import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.AttemptDir;
import dev.mayfly.agent.os.CodeStore;
import dev.mayfly.agent.os.WholeKill;
import dev.mayfly.agent.os.ZipCaps;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.agent.Left;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Secrets;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts on this machine. Every method returns at once; what comes of it is an event, told
 * once for each start.
 */
public final class Tasks {
  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

  private final Map<Attempt, Task> tasks = new ConcurrentHashMap<>();
  private final WholeKill wholeKill;
  private final Starter starter;
  private final Ender ender;
  private final Logs logs;
  private final Executor threads;
  private final Consumer<AgentEvent> events;

  /**
   * @param environment what every task finds in its own
   * @param secrets asked at the start of each attempt that needs some
   * @param killPatience for how long a kill is repeated before it is reported as not confirmed
   */
  public Tasks(
      Workshop workshop,
      Map<String, String> environment,
      Duration killPatience,
      Objects objects,
      Secrets secrets,
      Logs logs,
      Outward outward) {
    var root = workshop.workDir().root();
    this.wholeKill =
        new WholeKill(root, () -> workshop.tools().orphans(), this::live, killPatience);
    this.ender = new Ender(wholeKill, workshop.disk(), logs, outward.events());
    var code = new CodeStore(workshop.workDir(), ZipCaps.DEFAULT);
    var materials = new Materials(objects, code);
    this.starter = new Starter(workshop, environment, materials, secrets, ender, logs, outward);
    this.logs = logs;
    this.threads = outward.threads();
    this.events = outward.events();
  }

  /**
   * What attempts are worked on with.
   *
   * @param threads one for each piece of work
   * @param events where what happened is told
   */
  public record Outward(Executor threads, Consumer<AgentEvent> events) {}

  private Collection<WholeKill.Attempt> live() {
    return tasks.values().stream().filter(Task::live).map(Task::processes).toList();
  }

  /** Kills what ended attempts left behind unseen. Call it now and then. */
  public void sweep() {
    var left = wholeKill.sweep().left();
    if (!left.isEmpty()) {
      LOG.error("processes cannot be killed left={}", left);
    }
  }

  /** Brings everything that a start needs; a second order is ignored. */
  public void prepare(AgentEffect.Prepare prepare) {
    var task = new Task(prepare.attempt());
    if (tasks.putIfAbsent(prepare.attempt(), task) == null) {
      threads.execute(() -> starter.prepare(task, prepare));
    }
  }

  /** Starts an attempt, prepared or not; a second start of the same one is ignored. */
  public void start(AgentEffect.Start start) {
    var prepared = tasks.get(start.attempt());
    if (prepared != null) {
      if (prepared.begin()) threads.execute(() -> starter.start(prepared, start));
      return;
    }
    var task = new Task(start.attempt());
    if (tasks.putIfAbsent(start.attempt(), task) == null) {
      threads.execute(() -> starter.start(task, start));
    }
  }

  /** Kills an attempt; one that is not here is answered at once. */
  public void kill(AgentEffect.Kill kill) {
    var task = tasks.get(kill.attempt());
    if (task == null) {
      events.accept(new AgentEvent.Killed(kill.attempt()));
      return;
    }
    switch (task.kill(kill.grace())) {
      case DROP -> {
        task.ended();
        events.accept(new AgentEvent.Killed(kill.attempt()));
      }
      case GONE -> events.accept(new AgentEvent.Killed(kill.attempt()));
      case KILL -> threads.execute(() -> ender.kill(task, kill.grace()));
      case LEAVE -> LOG.debug("kill is seen through elsewhere attempt={}", kill.attempt());
    }
  }

  /** What the attempt left to be uploaded. */
  public Left left(Attempt attempt) throws IOException {
    var task = tasks.get(attempt);
    if (task == null || task.output().isEmpty() || task.dir().isEmpty()) return new Left.Nothing();
    return Leavings.at(task.dir().get(), task.output().get());
  }

  /** Completes when the log of an attempt that has ended is in the store, or was given up. */
  public CompletableFuture<Void> logged(Attempt attempt) {
    var task = tasks.get(attempt);
    return task == null ? CompletableFuture.completedFuture(null) : logs.finish(task.id());
  }

  /** Deletes an attempt's folder once its log is in the store; completes when it is gone. */
  public CompletableFuture<Void> drop(Attempt attempt) {
    var task = tasks.remove(attempt);
    return task == null
        ? CompletableFuture.completedFuture(null)
        : logs.finish(task.id()).thenRunAsync(() -> task.dir().ifPresent(Tasks::delete), threads);
  }

  private static void delete(AttemptDir dir) {
    try {
      dir.close();
    } catch (IOException e) {
      LOG.warn("folder not deleted folder={} reason={}", dir.folder(), e.toString());
    }
  }
}
