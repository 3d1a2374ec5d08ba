package dev.mayfly.sim;

import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.AgentSettings;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.sim.check.Violation;
import dev.mayfly.sim.fake.Crash;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Scope;
import dev.mayfly.sim.fake.SimMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A machine that runs: its clocks, its processes, its network and its agent. */
final class Host {
  private final World world;
  private final SimMachine machine;
  private final MachineSheet sheet;
  private final int index;
  private final Dice dice;
  private final HostClock clock;
  private final Scope tasks;
  private final Processes processes;
  private final Wire wire;
  private Scope agentScope;
  private Optional<AgentProcess> agent = Optional.empty();

  /** What its disk keeps of the start before. */
  private Optional<Instant> lastStart = Optional.empty();

  private boolean off;
  private Instant diskBrokenUntil = Instant.EPOCH;
  private boolean ended;
  private int agents;

  /**
   * @param index which of the {@code hosts} of a slice
   */
  Host(World world, SimMachine machine, int index, int hosts) {
    this.index = index;
    this.world = world;
    this.machine = machine;
    sheet = MachineSheet.of(machine.metadata());
    dice = world.dice().of("host " + machine.id() + suffix());
    var drifts = world.weather().strikes(Fault.CLOCK_DRIFT);
    clock =
        new HostClock(
            world.time(), drifts ? 1 + dice.between(-500, 500) / 1e6 : 1, dice.millis(-800, 800));
    tasks = new Scope("tasks of " + machine);
    agentScope = new Scope("none");
    processes = new Processes(world, sheet.worker(), index, hosts, tasks);
    wire = new Wire(world, sheet.worker(), suffix());
  }

  /** A process that begins now starts speaking after this: the pulled image, the JVM. */
  void boot() {
    startAgent(dice.seconds(2, 8));
  }

  private void startAgent(Duration after) {
    agentScope = new Scope(name() + "#" + ++agents, this::failed);
    var scope = agentScope;
    world
        .time()
        .after(
            after,
            scope,
            () -> {
              lastStart = Optional.of(Incarnation.start(lastStart, clock.now().wall()));
              var incarnation =
                  new Incarnation(machine.id(), "boot-" + machine.id() + suffix(), lastStart.get());
              var process = new AgentProcess(world, this, sheet, incarnation, scope);
              agent = Optional.of(process);
              process.start();
            });
    if (frozen()) scope.freeze();
  }

  private void failed(Scope dead, Throwable thrown) {
    if (!(thrown instanceof Crash)) throw new Violation("I0", thrown);
    world.trace().add(dead + " died: " + thrown.getMessage());
    restartAgent();
  }

  /** The agent dies and starts again; its tasks' processes run on until the new one kills them. */
  void restartAgent() {
    if (off) return;
    if (ended) {
      ended = false;
      trouble();
    }
    world.truth().troubled(worker());
    agentScope.kill();
    startAgent(dice.seconds(1, 20));
  }

  /** The agent has ended by its own will, on a machine that no cloud switches off. */
  void agentEnds() {
    ended = true;
    trouble();
    agentScope.kill();
  }

  /** Whether it can speak at all changed. */
  private void trouble() {
    world.truth().trouble(worker(), name(), off || ended || frozen() || wire.cut());
  }

  /** If its agent is in the middle of something, it stands still for a while. */
  void stalls() {
    if (!agentScope.runnable()) world.truth().troubled(worker());
  }

  void notice() {
    world.truth().trouble(worker(), name(), true);
    agent.ifPresent(a -> a.tell(new AgentEvent.NoticeCame(clock.now().wall())));
  }

  void powerOff() {
    off = true;
    trouble();
    agentScope.kill();
    tasks.kill();
    processes.killAll();
  }

  /** Nothing on it runs until {@link #resume}; its clocks go on. */
  void freeze() {
    if (OwnMachine.is(machine)) world.truth().stands(worker(), true);
    agentScope.freeze();
    tasks.freeze();
    trouble();
  }

  /**
   * @param asleep for how long its monotonic clock stood still
   */
  void resume(Duration asleep) {
    if (off) return;
    world.truth().stands(worker(), false);
    clock.slept(asleep);
    tasks.resume();
    trouble();
    agentScope.resume();
  }

  private boolean frozen() {
    return tasks.frozen();
  }

  void breakDisk(Duration time) {
    var until = world.time().instant().plus(time);
    if (until.isAfter(diskBrokenUntil)) diskBrokenUntil = until;
  }

  /** Whether no attempt can have its folder here. */
  boolean diskBroken() {
    return world.time().instant().isBefore(diskBrokenUntil);
  }

  void cut(boolean cut) {
    wire.cut(cut);
    trouble();
  }

  void kill(AgentEffect.Kill kill) {
    world.bugs().kill(kill, processes);
  }

  /** Whether no cloud has it, so that its agent cannot switch it off. */
  boolean own() {
    return sheet.pool().equals(Extras.OWN_POOL);
  }

  boolean on() {
    return !off;
  }

  private String suffix() {
    return index == 0 ? "" : "/" + index;
  }

  /** The worker's name, with its index if it is one of several and not the first. */
  String name() {
    return worker() + suffix();
  }

  AgentSettings settings() {
    return world.bugs().settings(AgentSettings.DEFAULT).at(index, "at-" + name());
  }

  String worker() {
    return sheet.worker();
  }

  MachineSheet sheet() {
    return sheet;
  }

  SimMachine machine() {
    return machine;
  }

  HostClock clock() {
    return clock;
  }

  Processes processes() {
    return processes;
  }

  Wire wire() {
    return wire;
  }
}
