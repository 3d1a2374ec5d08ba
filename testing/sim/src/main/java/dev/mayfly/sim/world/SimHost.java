package dev.mayfly.sim.world;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerInfo;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimulatedCrash;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.scenario.ScenarioExtras;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A running machine: its clocks, its processes, its network and its agent. */
public final class SimHost {
  private final World world;
  private final SimMachine machine;
  private final WorkerInfo workerInfo;
  private final int index;
  private final SimRandom simRandom;
  private final HostClock clock;
  private final SimProcess tasks;
  private final HostProcesses hostProcesses;
  private final HostNetwork hostNetwork;
  private SimProcess agentScope;
  private Optional<AgentProcess> agent = Optional.empty();

  /** The previous start, as kept on its disk. */
  private Optional<Instant> lastStart = Optional.empty();

  private boolean off;
  private Instant diskBrokenUntil = Instant.EPOCH;
  private Instant diskFullUntil = Instant.EPOCH;
  private Instant deviceLostUntil = Instant.EPOCH;
  private boolean ended;
  private int agents;

  /**
   * @param index index among the {@code hosts} of a slice
   */
  SimHost(World world, SimMachine machine, int index, int hosts) {
    this.index = index;
    this.world = world;
    this.machine = machine;
    workerInfo = WorkerInfo.of(machine.metadata());
    simRandom = world.dice().of("host " + machine.id() + suffix());
    var drifts = world.weather().strikes(Fault.CLOCK_DRIFT);
    clock =
        new HostClock(
            world.time(),
            drifts ? 1 + simRandom.between(-500, 500) / 1e6 : 1,
            simRandom.millis(-800, 800));
    tasks = new SimProcess("tasks of " + machine);
    agentScope = new SimProcess("none");
    hostProcesses = new HostProcesses(world, workerInfo.worker(), index, hosts, tasks);
    hostNetwork = new HostNetwork(world, workerInfo.worker(), suffix());
  }

  /** Boots the host: its agent first syncs after the image pull and the start of the JVM. */
  void boot() {
    startAgent(simRandom.seconds(2, 8));
  }

  private void startAgent(Duration after) {
    agentScope = new SimProcess(name() + "#" + ++agents, this::failed);
    var simProcess = agentScope;
    world
        .time()
        .after(
            after,
            simProcess,
            () -> {
              lastStart = Optional.of(Incarnation.start(lastStart, clock.now().wall()));
              var incarnation =
                  new Incarnation(machine.id(), "boot-" + machine.id() + suffix(), lastStart.get());
              var process = new AgentProcess(world, this, workerInfo, incarnation, simProcess);
              agent = Optional.of(process);
              process.start();
            });
    if (frozen()) simProcess.freeze();
  }

  private void failed(SimProcess dead, Throwable thrown) {
    if (!(thrown instanceof SimulatedCrash)) throw new InvariantViolation("I0", thrown);
    world.trace().add(dead + " died: " + thrown.getMessage());
    restartAgent();
  }

  /** The agent dies and restarts; its tasks' processes run on until the new agent kills them. */
  public void restartAgent() {
    if (off) return;
    if (ended) {
      ended = false;
      trouble();
    }
    world.truth().troubled(worker());
    agentScope.kill();
    startAgent(simRandom.seconds(1, 20));
  }

  /** The agent has shut down, on a machine that no cloud powers off. */
  void agentEnds() {
    ended = true;
    trouble();
    agentScope.kill();
  }

  /** Its ability to sync changed. */
  private void trouble() {
    world.truth().trouble(worker(), name(), off || ended || frozen() || hostNetwork.cut());
  }

  /** Stalls the agent for a while if it is busy. */
  void stalls() {
    if (!agentScope.runnable()) world.truth().troubled(worker());
  }

  void notice() {
    world.truth().trouble(worker(), name(), true);
    agent.ifPresent(a -> a.deliver(new AgentEvent.PreemptionNoticed(clock.now().wall())));
  }

  public void powerOff() {
    off = true;
    trouble();
    agentScope.kill();
    tasks.kill();
    hostProcesses.killAll();
  }

  /** Freezes everything on it until {@link #resume}; its clocks go on. */
  public void freeze() {
    if (StaticMachine.is(machine)) world.truth().suspended(worker(), true);
    agentScope.freeze();
    tasks.freeze();
    trouble();
  }

  /**
   * @param asleep how long its monotonic clock was stopped
   */
  public void resume(Duration asleep) {
    if (off) return;
    world.truth().suspended(worker(), false);
    clock.slept(asleep);
    tasks.resume();
    trouble();
    agentScope.resume();
  }

  boolean frozen() {
    return tasks.frozen();
  }

  void breakDisk(Duration time) {
    var until = world.time().instant().plus(time);
    if (until.isAfter(diskBrokenUntil)) diskBrokenUntil = until;
  }

  /** Whether no attempt gets its folder here. */
  boolean diskBroken() {
    return world.time().instant().isBefore(diskBrokenUntil);
  }

  /** From now on, at every second, its agent sees that the disk is full. */
  public void fillDisk(Duration time) {
    var until = world.time().instant().plus(time);
    if (until.isAfter(diskFullUntil)) diskFullUntil = until;
    hostProcesses.spoilOutputs();
    for (var at = Duration.ofSeconds(1); at.compareTo(time) < 0; at = at.plusSeconds(1))
      world.time().after(at, () -> agent.ifPresent(AgentProcess::diskFull));
  }

  /** Whether nothing can be written here. */
  boolean diskFull() {
    return world.time().instant().isBefore(diskFullUntil);
  }

  /** A device is gone until that time has passed; then the machine's agent starts anew. */
  public void loseDevice(Duration time) {
    var until = world.time().instant().plus(time);
    if (until.isAfter(deviceLostUntil)) deviceLostUntil = until;
    agent.ifPresent(AgentProcess::loseDevice);
    world
        .time()
        .after(
            time,
            () -> {
              if (!deviceLost()) restartAgent();
            });
  }

  boolean deviceLost() {
    return world.time().instant().isBefore(deviceLostUntil);
  }

  void cut(boolean cut) {
    hostNetwork.cut(cut);
    trouble();
  }

  void kill(AgentEffect.Kill kill) {
    world.bugs().kill(kill, hostProcesses);
  }

  /** Whether it is a static machine, which its agent cannot power off. */
  boolean own() {
    return workerInfo.pool().equals(ScenarioExtras.OWN_POOL);
  }

  public boolean on() {
    return !off;
  }

  private String suffix() {
    return index == 0 ? "" : "/" + index;
  }

  /** The worker's name, with the host's index unless it is the first. */
  String name() {
    return worker() + suffix();
  }

  AgentSettings settings() {
    return world.bugs().settings(AgentSettings.DEFAULT).forHost(index, "at-" + name());
  }

  public String worker() {
    return workerInfo.worker();
  }

  WorkerInfo workerInfo() {
    return workerInfo;
  }

  public SimMachine machine() {
    return machine;
  }

  public HostClock clock() {
    return clock;
  }

  HostProcesses processes() {
    return hostProcesses;
  }

  HostNetwork wire() {
    return hostNetwork;
  }
}
