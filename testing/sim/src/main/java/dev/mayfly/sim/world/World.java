package dev.mayfly.sim.world;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.state.Context;
import dev.mayfly.sim.check.InvariantSet;
import dev.mayfly.sim.control.ControlPlaneEntry;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fake.SimCodec;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIdGenerator;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimNotificationTopic;
import dev.mayfly.sim.fake.SimObjectStore;
import dev.mayfly.sim.fake.SimTickScheduler;
import dev.mayfly.sim.fake.SimTriggerBus;
import dev.mayfly.sim.fake.UsageCounter;
import dev.mayfly.sim.fault.CrashInjector;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.FaultInjector;
import dev.mayfly.sim.observation.AttemptPlaces;
import dev.mayfly.sim.observation.CoveragePoint;
import dev.mayfly.sim.observation.EndOrder;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import dev.mayfly.sim.observation.TraceLine;
import dev.mayfly.sim.scenario.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * One simulated world: the real use cases and the real agents over fakes, in virtual time. Its
 * scenario alone determines it.
 */
public final class World {
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Ten times the steps of the busiest world. */
  private static final long STEPS = 200_000;

  private final Scenario scenario;
  private final Mutant bugs;
  private final SimRandom simRandom;
  private final SimTime time = new SimTime(START);
  private final Trace trace;
  private final FaultInjector faultInjector;
  private final SimLedger ledger;
  private final SimObjectStore objects = new SimObjectStore(time);
  private final SimCodec codec = new SimCodec();
  private final SimFleet fleet;
  private final SimTriggerBus bus;
  private final SimNotificationTopic notifications;
  private final SimTickScheduler schedule = new SimTickScheduler();
  private final Outages outages = new Outages();
  private final CrashInjector crashInjector;
  private final CallInterleaving callInterleaving;
  private final GroundTruth groundTruth;
  private final AttemptPlaces places = new AttemptPlaces();
  private final InvariantSet invariantSet;
  private final InstanceRouter instanceRouter;
  private final UserActions userActions;
  private final Map<String, SimHost> simHosts = new TreeMap<>();
  private final Map<String, TaskBehavior> habits = new TreeMap<>();
  private final SimRandom watchDice;
  private final UsageCounter usageCounter = new UsageCounter(time);
  private final boolean checked;

  /**
   * @param kept number of lines of the trace to keep
   * @param crashAfter number of the port call, over all function instances, after which its
   *     instance dies
   * @param checked whether invariants are checked after each step; large worlds omit it
   */
  public World(
      Scenario scenario,
      ControlPlaneEntry.Maker maker,
      Mutant bugs,
      OptionalLong crashAfter,
      int kept,
      boolean checked) {
    this.checked = checked;
    trace = checked || kept > 0 ? new Trace(time, kept) : Trace.silent(time);
    this.scenario = scenario;
    this.bugs = bugs;
    simRandom = new SimRandom(scenario.seed());
    watchDice = simRandom.of("watch");
    faultInjector = new FaultInjector(simRandom, trace, scenario.faults());
    crashInjector = new CrashInjector(crashAfter);
    callInterleaving = new CallInterleaving(this);
    ledger = new SimLedger(time, this::watchDelay);
    bus = new SimTriggerBus(time, simRandom.of("bus"), faultInjector, this::sent);
    notifications =
        new SimNotificationTopic(time, simRandom.of("notifications"), faultInjector, this::told);
    fleet = new SimFleet(time, simRandom.of("fleet"), faultInjector, new HostPower(this));
    scenario.stock().forEach(fleet::stock);
    groundTruth = new GroundTruth(time, ledger, objects, codec, checked);
    groundTruth.fleet(fleet);
    userActions = new UserActions(this);
    invariantSet = new InvariantSet(groundTruth, expected());
    instanceRouter = new InstanceRouter(this, bugs.plant(maker, this), scenario.instances());
    if (!checked) return;
    ledger.observe(this::committed);
    objects.observe(invariantSet::object);
  }

  private void sent(Trigger trigger) {
    usageCounter.add(UsageCounter.Kind.PUBLISHED, 1);
    gateway().deliver(trigger);
  }

  private void told(Notification notification) {
    trace.add("told " + notification.id() + " " + notification.notification().word());
    trace.seen("told " + notification.notification().word());
    if (checked) invariantSet.told(notification);
  }

  private InvariantSet.Expected expected() {
    return new InvariantSet.Expected(
        userActions.submissions(),
        userActions.published(),
        userActions.jobs(),
        // While ticks are paused, an orphan waits for the hourly cleanup, and then for its grace.
        Duration.ofMinutes(90),
        new CleanupBlockers(this)::blockedLately,
        Duration.ofHours(2),
        Duration.ofMinutes(4),
        Duration.ofMinutes(40),
        worker ->
            simHosts.containsKey(worker)
                ? simHosts.get(worker).workerInfo().visible()
                : Resources.ZERO,
        bugs::reasons,
        (cluster, job) -> new StatusQueries(observer()).estimate(cluster, job));
  }

  /** Schedules all external actions and faults. */
  public void begin() {
    instanceRouter.fill();
    userActions.plan(scenario);
    new FaultSchedule(this).plan(scenario.storm());
    new TickSource(this).plan();
  }

  /** Ends the storm: all outages and all chance faults end. */
  public void endFaults() {
    trace.add("the storm is over");
    faultInjector.calmDown();
    invariantSet.faultsEnded();
    instanceRouter.log().off();
    outages.clear();
    ledger.mend();
    outages.stillBroken(this);
    instanceRouter.startAll();
  }

  /** Whether the planned end of the storm has passed. */
  boolean faultsOver() {
    return time.instant().isAfter(START.plus(scenario.storm()));
  }

  /** Runs one step due by {@code until}, if any, and then all invariants. */
  public boolean step(Instant until) {
    var stepped = time.step(until);
    if (checked && time.steps() > STEPS)
      throw new InvariantViolation(
          "I13", "no end after " + STEPS + " steps: the same happens again and again");
    if (stepped && checked) invariantSet.step();
    return stepped;
  }

  /** Runs all steps until then. */
  public void advanceTo(Instant until) {
    var more = true;
    while (more) more = step(until);
  }

  private Duration watchDelay() {
    return faultInjector.strikes(Fault.LEDGER_WATCH_LATE)
        ? faultInjector.dice(Fault.LEDGER_WATCH_LATE).seconds(1, 60)
        : watchDice.millis(2, 40);
  }

  private void committed(List<SimLedger.Change> batch) {
    for (var change : batch) trace.add(TraceLine.of(change));
    batch.forEach(c -> CoveragePoint.of(c).forEach(b -> trace.seen(b.name())));
    invariantSet.committed(batch);
  }

  void began(TaskProcess process) {
    trace.add(() -> "began " + process);
    groundTruth.began(process);
    places.began(process);
    if (checked) invariantSet.began(process);
  }

  void ended(TaskProcess process, boolean ownFault) {
    trace.add(() -> "ended " + process + (ownFault ? " by its own fault" : ""));
    groundTruth.ended(process, ownFault);
    if (checked) invariantSet.ended(process);
  }

  void killAsked(TaskProcess process, boolean overdue) {
    trace.add("kill " + process);
    if (checked) invariantSet.killAsked(process, overdue);
  }

  void endOrdered(EndOrder order) {
    if (checked) invariantSet.endOrdered(order);
  }

  TaskBehavior habits(String job) {
    return habits.computeIfAbsent(job, uid -> TaskBehavior.of(this, uid));
  }

  /** Running machines, by worker. */
  public List<SimHost> powered() {
    return simHosts.values().stream().filter(SimHost::on).toList();
  }

  public UsageCounter tally() {
    return usageCounter;
  }

  public Scenario scenario() {
    return scenario;
  }

  Mutant bugs() {
    return bugs;
  }

  SimRandom dice() {
    return simRandom;
  }

  public SimTime time() {
    return time;
  }

  public Trace trace() {
    return trace;
  }

  FaultInjector weather() {
    return faultInjector;
  }

  public SimLedger ledger() {
    return ledger;
  }

  public SimObjectStore objects() {
    return objects;
  }

  public SimCodec codec() {
    return codec;
  }

  public SimFleet fleet() {
    return fleet;
  }

  SimTriggerBus bus() {
    return bus;
  }

  SimNotificationTopic notifications() {
    return notifications;
  }

  public SimTickScheduler schedule() {
    return schedule;
  }

  public Outages skies() {
    return outages;
  }

  public CrashInjector effects() {
    return crashInjector;
  }

  public CallInterleaving overlaps() {
    return callInterleaving;
  }

  public GroundTruth truth() {
    return groundTruth;
  }

  public AttemptPlaces places() {
    return places;
  }

  public InvariantSet checks() {
    return invariantSet;
  }

  /** The ports without faults, for readings that change nothing of the world. */
  public Context observer() {
    return new Context(
        ledger,
        bus,
        notifications,
        fleet,
        objects,
        codec,
        time,
        schedule,
        new SimIdGenerator(simRandom.of("ids observer")),
        time,
        Timings.DEFAULT);
  }

  public InstanceRouter gateway() {
    return instanceRouter;
  }

  public UserActions users() {
    return userActions;
  }

  public Map<String, SimHost> hosts() {
    return simHosts;
  }
}
