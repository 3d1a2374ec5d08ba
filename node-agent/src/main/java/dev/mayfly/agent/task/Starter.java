package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.AttemptDir;
import dev.mayfly.agent.os.CodeStore;
import dev.mayfly.agent.os.Command;
import dev.mayfly.agent.os.Confidential;
import dev.mayfly.agent.os.LastToDie;
import dev.mayfly.agent.os.LaunchSteps;
import dev.mayfly.agent.os.Launcher.Launched;
import dev.mayfly.agent.os.Limits;
import dev.mayfly.agent.os.Marks;
import dev.mayfly.agent.os.Running;
import dev.mayfly.agent.os.WorkDir;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Invocation;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Secrets;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes an attempt from its order to its first process. */
final class Starter {
  private static final Logger LOG = LoggerFactory.getLogger(Starter.class);

  private final Workshop workshop;
  private final Map<String, String> environment;
  private final Materials materials;
  private final Secrets secrets;
  private final Ender ender;
  private final Logs logs;
  private final Executor threads;
  private final Consumer<AgentEvent> events;

  /** How many preparations in a row found a device held by somebody else. */
  private final AtomicInteger busy = new AtomicInteger();

  Starter(
      Workshop workshop,
      Map<String, String> environment,
      Materials materials,
      Secrets secrets,
      Ender ender,
      Logs logs,
      Tasks.Outward outward) {
    this.workshop = workshop;
    this.environment = environment;
    this.materials = materials;
    this.secrets = secrets;
    this.ender = ender;
    this.logs = logs;
    this.threads = outward.threads();
    this.events = outward.events();
  }

  /** Brings what the start of a gang's task will need, and starts nothing. */
  void prepare(Task task, AgentEffect.Prepare prepare) {
    var start =
        new AgentEffect.Start(prepare.attempt(), prepare.sheet(), prepare.item(), prepare.gpus());
    attempt(
        task,
        () -> {
          var paths = bring(task, start);
          var unused = container(task, start, Container.TOGETHER);
          var held = held(start);
          if (held.isPresent()) unready(task, Cause.INFRASTRUCTURE, again(), held.get());
          else if (task.prepared(paths)) events.accept(new AgentEvent.Prepared(task.attempt()));
          else failed(task, Cause.RETURNED, "");
        },
        (cause, machine, reason) -> unready(task, cause, machine, reason));
  }

  private Optional<String> held(AgentEffect.Start start) {
    if (start.sheet().spec().resources().tpuChips() == 0) return Optional.empty();
    var held = workshop.tools().devices().first();
    if (held.isEmpty()) busy.set(0);
    return held;
  }

  /** Whether the machine was found busy before, with nothing of ours on it: it stays so. */
  private boolean again() {
    return busy.incrementAndGet() > 1;
  }

  void start(Task task, AgentEffect.Start start) {
    attempt(
        task,
        () -> launch(task, start),
        (cause, machine, reason) -> failed(task, cause, machine, reason));
  }

  private interface Step {
    void go() throws IOException, CodeStore.Refused;
  }

  private interface Failing {
    void failed(Cause cause, boolean machine, String reason);
  }

  private void attempt(Task task, Step step, Failing failing) {
    try {
      if (task.preparing()) {
        step.go();
      } else {
        failing.failed(Cause.RETURNED, false, "");
      }
    } catch (CodeStore.Refused
        | Invalid
        | Denied
        | IllegalArgumentException
        | FileNotFoundException e) {
      failing.failed(Cause.USER, false, said(e));
    } catch (WorkDir.Broken e) {
      LOG.warn("attempt not started by its machine attempt={} reason={}", task.id(), said(e));
      failing.failed(Cause.INFRASTRUCTURE, true, said(e));
    } catch (IOException | Unavailable e) {
      LOG.warn("attempt not started attempt={} reason={}", task.id(), said(e));
      failing.failed(Cause.INFRASTRUCTURE, false, said(e));
    } catch (RuntimeException e) {
      LOG.error("attempt not started by a bug attempt={}", task.id(), e);
      failing.failed(Cause.INFRASTRUCTURE, false, said(e));
    }
  }

  private void launch(Task task, AgentEffect.Start start) throws IOException, CodeStore.Refused {
    var before = task.paths();
    var paths = before.isPresent() ? before.get() : bring(task, start);
    var dir = task.dir().orElseThrow();
    var prepared = before.isPresent() ? Container.PREPARED : Container.ALONE;
    var container = container(task, start, prepared);
    var user = workshop.users().of(start.sheet().spec().run().rights());
    // Before the command is made: a container runs as whoever has the rooms then.
    if (user.isPresent()) dir.handTo(user.get());
    var command = command(task, start, dir, paths, container);
    var needs = start.sheet().spec().resources();
    var limits = workshop.tools().limits();
    var bounds =
        container.isPresent()
            ? container.get().bounds(Limits.counting())
            : limits.bounds(task.id(), needs.cpuMillis(), needs.memoryBytes());
    task.in(bounds, container.isPresent());
    // The engine itself makes a container that user's: its client works for the agent.
    var steps =
        new LaunchSteps(
            bounds.entrance(), LastToDie.spared(), container.isPresent() ? Optional.empty() : user);
    switch (workshop.tools().launcher().launch(command.after(steps))) {
      case Launched.NotStarted(int code, String reason) -> {
        bounds.close();
        failed(task, Cause.USER, reason);
      }
      case Launched.NoRoom(String reason) -> {
        bounds.close();
        failed(task, Cause.INFRASTRUCTURE, true, reason);
      }
      case Launched.Started(Running running) -> {
        dir.began(running.pid());
        follow(task, start, dir, running);
      }
    }
  }

  /** Code and input: with the image, all that can be brought before the first process. */
  private Materials.Paths bring(Task task, AgentEffect.Start start)
      throws IOException, CodeStore.Refused {
    var dir = workshop.workDir().attempt();
    task.has(dir);
    var paths = materials.fetch(start, dir);
    task.leaves(paths.output());
    return paths;
  }

  /** With its image here: it may have gone, or be another, since the start was prepared. */
  private Optional<Container> container(Task task, AgentEffect.Start start, Duration limit)
      throws IOException {
    var root = workshop.workDir().root().toString();
    var container =
        Container.of(workshop.tools().containers(), root, task, start, workshop.users().apart());
    if (container.isEmpty()) return container;
    var attempt = task.attempt();
    return Optional.of(
        container
            .get()
            .pulled(
                attempt.lease().job(),
                limit,
                exact -> events.accept(new AgentEvent.ImagePulled(attempt, exact))));
  }

  private void follow(Task task, AgentEffect.Start start, AttemptDir dir, Running running) {
    var sheet = start.sheet();
    var places = Places.of(sheet.bucket());
    var attempt = start.attempt();
    var rank = start.peers().getOrDefault("MAYFLY_RANK", "0");
    var name = rank.equals("0") ? attempt.name() : attempt.name() + "-rank" + rank;
    logs.open(
        task.id(),
        sheet.job(),
        dir.log(),
        piece -> places.log(sheet.job(), attempt.index(), name, piece),
        task.confidential().parts());
    if (task.started(running)) {
      var unused =
          running.exit().thenAccept(exit -> threads.execute(() -> ender.exited(task, exit)));
    } else {
      boolean unused = Thread.interrupted();
      ender.kill(task, task.grace());
    }
  }

  private Command command(
      Task task,
      AgentEffect.Start start,
      AttemptDir dir,
      Materials.Paths paths,
      Optional<Container> container)
      throws IOException {
    var invocation = Invocation.of(start, paths.input().toString(), paths.output().toString());
    var own = new HashMap<String, String>();
    var temporary = container.isPresent() ? dir.containedTemporary() : dir.temporary();
    own.put("TMPDIR", temporary.toString());
    own.putAll(invocation.env());
    own.putAll(secrets(task, start));
    own.putAll(Marks.of(workshop.workDir().root(), task.id()));
    own.put("MAYFLY_NOTICE", dir.notice().toString());
    own.put("PWD", dir.work().toString());
    var variables = new HashMap<>(environment);
    workshop
        .users()
        .of(start.sheet().spec().run().rights())
        .ifPresent(user -> variables.putAll(user.environment()));
    variables.putAll(own);
    var command = new Command(invocation.argv(), variables, dir.work(), dir.log().path());
    return container.map(c -> c.around(command, own, dir)).orElse(command);
  }

  /** Read anew for each attempt: what was rotated is the next one's. */
  private Map<String, String> secrets(Task task, AgentEffect.Start start) {
    var values = new HashMap<String, String>();
    if (start.sheet().spec().run().image().isPresent())
      start.sheet().spec().run().secrets().keySet().forEach(Starter::refuseClients);
    start.sheet().spec().run().secrets().forEach((k, ref) -> values.put(k, secrets.value(ref)));
    task.knows(Confidential.of(values.values()));
    return values;
  }

  private static void refuseClients(String name) {
    if (ContainerEngine.reads(name))
      throw new Invalid(
          "secrets." + name, "would be read by the container engine too; give it another name");
  }

  private void unready(Task task, Cause cause, boolean machine, String reason) {
    boolean unused = Thread.interrupted();
    var evidence = Failure.fit(reason);
    events.accept(
        task.failed()
            ? new AgentEvent.Unready(task.attempt(), cause, machine, evidence)
            : new AgentEvent.Killed(task.attempt()));
  }

  private void failed(Task task, Cause cause, String reason) {
    failed(task, cause, false, reason);
  }

  private void failed(Task task, Cause cause, boolean machine, String reason) {
    boolean unused = Thread.interrupted();
    var evidence = Failure.fit(reason);
    events.accept(
        task.failed()
            ? new AgentEvent.StartFailed(task.attempt(), cause, machine, evidence)
            : new AgentEvent.Killed(task.attempt()));
  }

  private static String said(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
