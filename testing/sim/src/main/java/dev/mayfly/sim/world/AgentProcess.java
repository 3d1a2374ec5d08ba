package dev.mayfly.sim.world;

import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.DiskProblem;
import dev.mayfly.core.agent.loop.MachineReadiness;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.InputGeneration;
import dev.mayfly.core.agent.output.ObjectEffectExecutor;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.agent.output.WrittenOutput;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.gang.GangEnvironment;
import dev.mayfly.core.model.sync.FailedFolder;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerInfo;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fake.HookedObjectStore;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.observation.InvariantViolation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** One agent process: the real agent, with its effects performed in virtual time. */
final class AgentProcess {
  /** How long a machine takes to detect what it lacks. */
  private static final Duration DETECTION = Duration.ofSeconds(3);

  private static final String LOST = "GPU 0 is gone";
  private static final AgentEvent FULL =
      new AgentEvent.DiskUnusable(new DiskProblem.Full("disk full: 0 MiB free"));

  /** Clocks of instances differ. */
  private static final Duration CLOCKS = Duration.ofMinutes(2);

  private final World world;
  private final SimHost simHost;
  private final SimProcess simProcess;
  private final SimRandom simRandom;
  private final Agent agent;
  private final ObjectEffectExecutor objectEffectExecutor;
  private boolean knowsLoss;
  private long alarm;

  AgentProcess(
      World world,
      SimHost simHost,
      WorkerInfo workerInfo,
      Incarnation incarnation,
      SimProcess simProcess) {
    this.world = world;
    this.simHost = simHost;
    this.simProcess = simProcess;
    simRandom = world.dice().of("agent " + simProcess.name());
    agent =
        new Agent(
            workerInfo,
            incarnation,
            simHost.settings(),
            simRandom.of("pauses").generator(),
            simHost.clock().now());
    objectEffectExecutor =
        new ObjectEffectExecutor(
            world
                .bugs()
                .objectStore(
                    new HookedObjectStore(world.objects(), new AgentHook(world, simProcess))),
            world.codec(),
            workerInfo.worker());
  }

  void start() {
    simHost.processes().killAll();
    simHost.processes().listen(this::exited);
    lacks()
        .ifPresent(lacks -> {
          on(new AgentEvent.ReadinessChanged(List.of(), new MachineReadiness.Preparing("driver")));
          var unfit = new AgentEvent.ReadinessChanged(List.of(), new MachineReadiness.Unfit(lacks));
          world
              .time()
              .after(
                  DETECTION,
                  simProcess,
                  () -> {
                    knowsLoss = simHost.deviceLost();
                    on(unfit);
                  });
        });
    on(new AgentEvent.Started(List.of()));
  }

  private Optional<String> lacks() {
    return simHost.deviceLost()
        ? Optional.of(LOST)
        : Optional.ofNullable(world.skies().lacks.get(simHost.workerInfo().pool()));
  }

  /** The watch of its devices sees that one is gone. */
  void loseDevice() {
    world
        .time()
        .after(
            DETECTION,
            simProcess,
            () -> {
              knowsLoss = true;
              on(new AgentEvent.DevicesLost(LOST));
            });
  }

  /** The watch of its disk looks while it is full. */
  void diskFull() {
    deliver(FULL);
  }

  /** Delivers an event from outside at the next step of the process. */
  void deliver(AgentEvent event) {
    world.time().after(Duration.ZERO, simProcess, () -> on(event));
  }

  private void on(AgentEvent happened) {
    if (!world.bugs().delivers(happened)) return;
    var event = world.bugs().incomingEvent(happened);
    for (var effect : agent.on(event, simHost.clock().now())) perform(effect);
  }

  private void perform(AgentEffect effect) {
    switch (effect) {
      case AgentEffect.Sync sync -> simHost.wire().sync(sync, simProcess, this::on);
      case AgentEffect.WakeAt wake -> wakeAt(wake.monotonicNanos(), ++alarm);
      case AgentEffect.FetchTaskList fetchTaskList ->
          soon(() -> objectEffectExecutor.fetch(fetchTaskList));
      case AgentEffect.Survey survey -> soon(() -> objectEffectExecutor.survey(survey));
      case AgentEffect.Prepare prepare -> prepare(prepare);
      case AgentEffect.Start start -> start(start);
      case AgentEffect.Kill kill -> simHost.kill(kill);
      case AgentEffect.Upload upload ->
          soon(() -> objectEffectExecutor.upload(upload, left(upload)));
      case AgentEffect.Seal seal -> soon(() -> objectEffectExecutor.seal(seal));
      case AgentEffect.SealTogether together ->
          soon(() -> objectEffectExecutor.sealTogether(together));
      case AgentEffect.Discard discard -> soon(() -> objectEffectExecutor.discard(discard));
      case AgentEffect.FlushLogs _ -> soon(AgentEvent.LogsFlushed::new);
      case AgentEffect.DeleteWorkDir drop -> delete(drop.attempt());
      case AgentEffect.FollowLogs _ -> world.trace().seen("follow");
      case AgentEffect.PowerOff off -> {
        world.trace().add(simProcess + " powers off: " + off.reason());
        world.trace().seen("power off");
        if (simHost.own()) simHost.agentEnds();
        else world.time().after(Duration.ofMillis(1), () -> world.fleet().halt(simHost.machine()));
      }
      case AgentEffect.Quit _ -> simHost.agentEnds();
    }
  }

  /** A look at the disk comes before the end of a process. */
  private void exited(AgentEvent event) {
    if (event instanceof AgentEvent.Exited && simHost.diskFull()) deliver(FULL);
    soon(() -> event);
  }

  private void soon(Supplier<AgentEvent> answer) {
    world.time().after(simRandom.millis(1, 40), simProcess, () -> on(answer.get()));
  }

  private void wakeAt(long monotonicNanos, long number) {
    world
        .time()
        .after(
            simHost.clock().until(monotonicNanos),
            simProcess,
            () -> {
              if (number != alarm) return;
              if (simHost.clock().now().monotonicNanos() < monotonicNanos)
                wakeAt(monotonicNanos, number);
              else on(new AgentEvent.Woke());
            });
  }

  private void prepare(AgentEffect.Prepare prepare) {
    begins(prepare.attempt());
    makeFolder(prepare.attempt(), prepare.jobInfo());
    world.time().after(simRandom.millis(100, 8_000), simProcess, () -> on(preparation(prepare)));
  }

  /** S5: nothing new begins on a machine after its agent has seen that a device is gone. */
  private void begins(TaskAttempt attempt) {
    if (knowsLoss)
      throw new InvariantViolation("S5", simProcess + " begins " + attempt + " without its device");
  }

  private void makeFolder(TaskAttempt attempt, JobInfo jobInfo) {
    if (jobInfo.spec().run().taskEnvironment().keepFailed().isPresent())
      deliver(new AgentEvent.FolderMade(attempt, "/attempts/" + attempt));
  }

  /** S7: an agent deletes no folder for which its machine is kept. */
  private void delete(TaskAttempt attempt) {
    var later = world.time().instant().plus(CLOCKS);
    var folder = new FailedFolder(attempt.lease().job(), attempt.index(), attempt.name(), "");
    var kept =
        world
            .truth()
            .worker(simHost.workerInfo().cluster(), simHost.worker())
            .flatMap(it -> Cordons.of(it, later))
            .flatMap(Cordon::kept);
    if (kept.filter(folder::isOf).isPresent())
      throw new InvariantViolation("S7", simProcess + " deletes " + attempt + ", which is kept");
    simHost.processes().discardOutput(attempt);
  }

  private AgentEvent preparation(AgentEffect.Prepare prepare) {
    var taskAttempt = prepare.attempt();
    if (world.weather().strikes(Fault.DEVICE_BUSY))
      return new AgentEvent.PrepareFailed(
          taskAttempt, FailureCause.INFRASTRUCTURE, true, "vfio is busy", AgentEvent.Prospect.OPEN);
    if (simHost.diskBroken())
      return new AgentEvent.PrepareFailed(
          taskAttempt, FailureCause.INFRASTRUCTURE, true, "no folder", AgentEvent.Prospect.OPEN);
    if (world.weather().strikes(Fault.OBJECTS_UNAVAILABLE))
      return new AgentEvent.PrepareFailed(
          taskAttempt,
          FailureCause.INFRASTRUCTURE,
          false,
          "no object store",
          AgentEvent.Prospect.OPEN);
    simHost.processes().prepared(prepare);
    return new AgentEvent.Prepared(taskAttempt, new GangContact(Optional.empty(), port(prepare)));
  }

  /** The gang's own is taken on every second host; every fifth runs an older agent. */
  private Optional<Integer> port(AgentEffect.Prepare prepare) {
    var number = Math.abs(simHost.worker().hashCode() % 10);
    return prepare
        .port()
        .filter(_ -> number % 5 != 0)
        .map(search -> GangEnvironment.candidates(search.first()).get(number % 2));
  }

  private void start(AgentEffect.Start start) {
    if (start.peers().isEmpty()) begins(start.attempt()); // what has peers began with its Prepare
    if (simHost.diskBroken()) {
      soon(() ->
          new AgentEvent.StartFailed(
              start.attempt(),
              FailureCause.INFRASTRUCTURE,
              true,
              "no folder",
              AgentEvent.Prospect.OPEN));
      return;
    }
    if (world.weather().strikes(Fault.OBJECTS_UNAVAILABLE)) {
      soon(() -> HostProcesses.startFailed(start.attempt()));
      return;
    }
    if (start.peers().isEmpty()) makeFolder(start.attempt(), start.jobInfo());
    if (simHost.diskFull()) deliver(FULL);
    generation(start)
        .ifPresent(generation -> deliver(new AgentEvent.InputFound(start.attempt(), generation)));
    WrittenOutput.before(world.objects(), start.jobInfo(), start.item())
        .ifPresent(before -> deliver(new AgentEvent.OutputFound(start.attempt(), before)));
    simHost.processes().start(start);
    if (simHost.diskFull()) simHost.processes().spoilOutputs();
  }

  private Optional<Long> generation(AgentEffect.Start start) {
    return InputGeneration.ifKnown(world.objects(), start.item());
  }

  private ProducedOutput left(AgentEffect.Upload upload) {
    return simHost
        .processes()
        .left(upload.attempt())
        .<ProducedOutput>map(t ->
            new ProducedOutput.OneFile(ObjectStore.Content.of(t.getBytes(StandardCharsets.UTF_8))))
        .orElseGet(ProducedOutput.Nothing::new);
  }
}
