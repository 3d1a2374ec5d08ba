package dev.mayfly.sim;

import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Fitness;
import dev.mayfly.core.agent.Left;
import dev.mayfly.core.agent.Publication;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.port.Objects;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.HookedObjects;
import dev.mayfly.sim.fake.Scope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** One agent process: the real agent, and its effects performed in virtual time. */
final class AgentProcess {
  /** So long a machine looks for what it lacks. */
  private static final Duration LOOK = Duration.ofSeconds(3);

  private final World world;
  private final Host host;
  private final Scope scope;
  private final Dice dice;
  private final Agent agent;
  private final Publication publication;
  private long alarm;

  AgentProcess(World world, Host host, MachineSheet sheet, Incarnation incarnation, Scope scope) {
    this.world = world;
    this.host = host;
    this.scope = scope;
    dice = world.dice().of("agent " + scope.name());
    agent =
        new Agent(
            sheet, incarnation, host.settings(), dice.of("pauses").generator(), host.clock().now());
    publication =
        new Publication(
            world.bugs().store(new HookedObjects(world.objects(), new AgentHook(world, scope))),
            world.codec(),
            sheet.worker());
  }

  void start() {
    host.processes().killAll();
    host.processes().tell(event -> soon(() -> event));
    var lacks = world.skies().lacks.get(host.sheet().pool());
    if (lacks != null) {
      on(new AgentEvent.Equipped(List.of(), new Fitness.Preparing("driver")));
      var unfit = new AgentEvent.Equipped(List.of(), new Fitness.Unfit(lacks));
      world.time().after(LOOK, scope, () -> on(unfit));
    }
    on(new AgentEvent.Started(List.of()));
  }

  /** An event that was made outside the process and comes in at its next turn. */
  void tell(AgentEvent event) {
    world.time().after(Duration.ZERO, scope, () -> on(event));
  }

  private void on(AgentEvent event) {
    for (var effect : agent.on(event, host.clock().now())) perform(effect);
  }

  private void perform(AgentEffect effect) {
    switch (effect) {
      case AgentEffect.Sync sync -> host.wire().call(sync, scope, this::on);
      case AgentEffect.WakeAt wake -> wakeAt(wake.monotonicNanos(), ++alarm);
      case AgentEffect.Fetch fetch -> soon(() -> publication.fetch(fetch));
      case AgentEffect.Survey survey -> soon(() -> publication.survey(survey));
      case AgentEffect.Prepare prepare -> prepare(prepare);
      case AgentEffect.Start start -> start(start);
      case AgentEffect.Kill kill -> host.kill(kill);
      case AgentEffect.Upload upload -> soon(() -> publication.upload(upload, left(upload)));
      case AgentEffect.Seal seal -> soon(() -> publication.seal(seal));
      case AgentEffect.FlushLogs _ -> soon(AgentEvent.LogsFlushed::new);
      case AgentEffect.DropWork drop -> host.processes().drop(drop.attempt());
      case AgentEffect.Follow _ -> world.trace().seen("follow");
      case AgentEffect.PowerOff off -> {
        world.trace().add(scope + " powers off: " + off.reason());
        world.trace().seen("power off");
        if (host.own()) host.agentEnds();
        else world.time().after(Duration.ofMillis(1), () -> world.fleet().halt(host.machine()));
      }
      case AgentEffect.Quit _ -> host.agentEnds();
    }
  }

  private void soon(Supplier<AgentEvent> answer) {
    world.time().after(dice.millis(1, 40), scope, () -> on(answer.get()));
  }

  private void wakeAt(long monotonicNanos, long number) {
    world
        .time()
        .after(
            host.clock().until(monotonicNanos),
            scope,
            () -> {
              if (number != alarm) return;
              if (host.clock().now().monotonicNanos() < monotonicNanos)
                wakeAt(monotonicNanos, number);
              else on(new AgentEvent.Woke());
            });
  }

  private void prepare(AgentEffect.Prepare prepare) {
    world.time().after(dice.millis(100, 8_000), scope, () -> on(preparation(prepare)));
  }

  private AgentEvent preparation(AgentEffect.Prepare prepare) {
    var attempt = prepare.attempt();
    if (world.weather().strikes(Fault.DEVICE_BUSY))
      return new AgentEvent.Unready(attempt, Cause.INFRASTRUCTURE, true, "vfio is busy");
    if (host.diskBroken())
      return new AgentEvent.Unready(attempt, Cause.INFRASTRUCTURE, true, "no folder");
    if (world.weather().strikes(Fault.OBJECTS_UNAVAILABLE))
      return new AgentEvent.Unready(attempt, Cause.INFRASTRUCTURE, false, "no object store");
    host.processes().prepared(prepare);
    return new AgentEvent.Prepared(attempt);
  }

  private void start(AgentEffect.Start start) {
    if (host.diskBroken()) {
      soon(() ->
          new AgentEvent.StartFailed(start.attempt(), Cause.INFRASTRUCTURE, true, "no folder"));
      return;
    }
    if (world.weather().strikes(Fault.OBJECTS_UNAVAILABLE)) {
      soon(() -> Processes.startFailed(start.attempt()));
      return;
    }
    host.processes().start(start);
  }

  private Left left(AgentEffect.Upload upload) {
    return host.processes()
        .left(upload.attempt())
        .<Left>map(t -> new Left.OneFile(Objects.Content.of(t.getBytes(StandardCharsets.UTF_8))))
        .orElseGet(Left.Nothing::new);
  }
}
