package dev.mayfly.sim;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Resources;
import dev.mayfly.sim.check.Checks;
import dev.mayfly.sim.check.Proc;
import dev.mayfly.sim.check.Truth;
import dev.mayfly.sim.check.Violation;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.SimBus;
import dev.mayfly.sim.fake.SimCodec;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimObjects;
import dev.mayfly.sim.fake.SimSchedule;
import dev.mayfly.sim.fake.SimTime;
import dev.mayfly.sim.fake.Tally;
import dev.mayfly.sim.fake.Trace;
import dev.mayfly.sim.fake.Weather;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * One simulated world: the real use cases and the real agents over fakes, in virtual time. What it
 * does is decided by its scenario alone.
 */
final class World {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Ten times what the busiest world takes. */
  private static final long STEPS = 200_000;

  private final Scenario scenario;
  private final PlantedBug bugs;
  private final Dice dice;
  private final SimTime time = new SimTime(START);
  private final Trace trace;
  private final Weather weather;
  private final SimLedger ledger;
  private final SimObjects objects = new SimObjects(time);
  private final SimCodec codec = new SimCodec();
  private final SimFleet fleet;
  private final SimBus bus;
  private final SimSchedule schedule = new SimSchedule();
  private final Skies skies = new Skies();
  private final Effects effects;
  private final Overlaps overlaps;
  private final Truth truth;
  private final Checks checks;
  private final Gateway gateway;
  private final Users users;
  private final Map<String, Host> hosts = new TreeMap<>();
  private final Map<String, TaskHabits> habits = new TreeMap<>();
  private final Dice watchDice;
  private final Tally tally = new Tally(time);
  private final boolean checked;

  /**
   * @param kept how many lines of the trace are kept
   * @param crashAfter the port call, counted over all function instances, after which its instance
   *     dies
   * @param checked whether invariants are checked after each step; without, a world may be large
   */
  World(
      Scenario scenario,
      ControlPlane.Maker maker,
      PlantedBug bugs,
      OptionalLong crashAfter,
      int kept,
      boolean checked) {
    this.checked = checked;
    trace = new Trace(time, kept);
    this.scenario = scenario;
    this.bugs = bugs;
    dice = new Dice(scenario.seed());
    watchDice = dice.of("watch");
    weather = new Weather(dice, trace, scenario.faults());
    effects = new Effects(crashAfter);
    overlaps = new Overlaps(this);
    ledger = new SimLedger(time, this::watchDelay);
    bus = new SimBus(time, dice.of("bus"), weather, this::sent);
    fleet = new SimFleet(time, dice.of("fleet"), weather, new Power(this));
    scenario.stock().forEach(fleet::stock);
    truth = new Truth(time, ledger, objects, codec);
    truth.fleet(fleet);
    users = new Users(this);
    checks = new Checks(truth, expected());
    gateway = new Gateway(this, bugs.plant(maker, this), scenario.instances());
    if (!checked) return;
    ledger.observe(this::committed);
    objects.observe(checks::object);
  }

  private void sent(Hint hint) {
    tally.add(Tally.Kind.PUBLISHED, 1);
    gateway().deliver(hint);
  }

  private Checks.Expected expected() {
    return new Checks.Expected(
        users.submissions(),
        users.published(),
        users.jobs(),
        // While ticks are paused an orphan waits for the hourly look, and then for its grace.
        Duration.ofMinutes(90),
        new Hindrances(this)::lately,
        Duration.ofHours(2),
        Duration.ofMinutes(4),
        Duration.ofMinutes(40),
        worker -> hosts.containsKey(worker) ? hosts.get(worker).sheet().visible() : Resources.ZERO);
  }

  /** Everything that will happen from outside is planned; nothing has happened yet. */
  void begin() {
    gateway.fill();
    users.plan(scenario);
    new Storm(this).plan(scenario.storm());
    new Minutes(this).plan();
  }

  /**
   * The storm is over: everything that is away comes back, and nothing goes wrong by chance any
   * more.
   */
  void calmDown() {
    trace.add("the storm is over");
    weather.calmDown();
    checks.calm();
    gateway.log().off();
    skies.clear();
    ledger.mend();
    skies.stillBroken(this);
    gateway.comeBack();
  }

  /** Whether it should be over by now. */
  boolean stormOver() {
    return time.instant().isAfter(START.plus(scenario.storm()));
  }

  /** One step, if there is one until then, and all invariants after it. */
  boolean step(Instant until) {
    var stepped = time.step(until);
    if (checked && time.steps() > STEPS)
      throw new Violation(
          "I13", "no end after " + STEPS + " steps: the same happens again and again");
    if (stepped && checked) checks.step();
    return stepped;
  }

  /** All steps until then. */
  void passTo(Instant until) {
    var more = true;
    while (more) more = step(until);
  }

  private Duration watchDelay() {
    return weather.strikes(Fault.LEDGER_WATCH_LATE)
        ? weather.dice(Fault.LEDGER_WATCH_LATE).seconds(1, 60)
        : watchDice.millis(2, 40);
  }

  private void committed(List<SimLedger.Change> batch) {
    for (var change : batch) trace.add(Line.of(change));
    batch.forEach(c -> Branch.of(c).forEach(b -> trace.seen(b.name())));
    checks.committed(batch);
  }

  void began(Proc process) {
    trace.add("began " + process);
    truth.began(process);
    if (checked) checks.began(process);
  }

  void ended(Proc process, boolean ownFault) {
    trace.add("ended " + process + (ownFault ? " by its own fault" : ""));
    truth.ended(process, ownFault);
    if (checked) checks.ended(process);
  }

  void killAsked(Proc process, boolean overdue) {
    trace.add("kill " + process);
    if (checked) checks.killAsked(process, overdue);
  }

  TaskHabits habits(String job) {
    return habits.computeIfAbsent(job, uid -> TaskHabits.of(this, uid));
  }

  /** Machines that run, by worker. */
  List<Host> powered() {
    return hosts.values().stream().filter(Host::on).toList();
  }

  Tally tally() {
    return tally;
  }

  Scenario scenario() {
    return scenario;
  }

  PlantedBug bugs() {
    return bugs;
  }

  Dice dice() {
    return dice;
  }

  SimTime time() {
    return time;
  }

  Trace trace() {
    return trace;
  }

  Weather weather() {
    return weather;
  }

  SimLedger ledger() {
    return ledger;
  }

  SimObjects objects() {
    return objects;
  }

  SimCodec codec() {
    return codec;
  }

  SimFleet fleet() {
    return fleet;
  }

  SimBus bus() {
    return bus;
  }

  SimSchedule schedule() {
    return schedule;
  }

  Skies skies() {
    return skies;
  }

  Effects effects() {
    return effects;
  }

  Overlaps overlaps() {
    return overlaps;
  }

  Truth truth() {
    return truth;
  }

  Checks checks() {
    return checks;
  }

  Gateway gateway() {
    return gateway;
  }

  Users users() {
    return users;
  }

  Map<String, Host> hosts() {
    return hosts;
  }
}
