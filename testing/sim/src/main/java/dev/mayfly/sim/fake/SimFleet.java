package dev.mayfly.sim.fake;

import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.FaultInjector;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A cloud of virtual machines: zones with limited stock, slow operations, and wrong answers as
 * clouds give them.
 */
public final class SimFleet implements Fleet {
  record Operation(Instant end, Optional<Refusal> failure) {}

  private static final Comparator<CloudMachine.Name> BY_NAME =
      Comparator.comparing(CloudMachine.Name::zone).thenComparing(CloudMachine.Name::name);

  private final SimTime time;
  private final SimRandom simRandom;
  private final FaultInjector faultInjector;
  private final FleetObserver observer;
  private final TreeMap<CloudMachine.Name, SimMachine> machines = new TreeMap<>(BY_NAME);
  private final List<SimMachine> ever = new ArrayList<>();
  private final Map<String, Operation> operations = new TreeMap<>();
  private final Map<String, String> requests = new TreeMap<>();
  private final SimStock stock = new SimStock();
  private final SimRefusals refusals = new SimRefusals();
  private final SimFlexRequests flexRequests;
  private Function<Order, Optional<Duration>> startTimes = _ -> Optional.empty();
  private boolean deletesFail;
  private long number = 7_000;

  public SimFleet(
      SimTime time, SimRandom simRandom, FaultInjector faultInjector, FleetObserver observer) {
    this.time = time;
    this.simRandom = simRandom;
    this.faultInjector = faultInjector;
    this.observer = observer;
    flexRequests = new SimFlexRequests(this, time, stock, refusals);
  }

  /** Limits the further machines in the zone; unlimited by default. */
  public void stock(String zone, int machines) {
    stock.zone(zone, machines);
  }

  /**
   * Changes how many machines of the pool the zone has in all; those that run stay, also if there
   * are more.
   */
  public void capacity(String pool, String zone, int machines) {
    var there =
        machines().stream()
            .filter(m -> m.name().zone().equals(zone) && pool(m).equals(pool) && !m.waiting)
            .count();
    stock.pool(pool, zone, machines - (int) there);
  }

  static String pool(SimMachine machine) {
    return machine.labels().getOrDefault(CloudMachine.POOL, "");
  }

  /** Sets how long machines take from the order until they run; seconds where it says nothing. */
  public void startTimes(Function<Order, Optional<Duration>> times) {
    startTimes = times;
  }

  /** Limits the further machines that the region's quota allows; unlimited by default. */
  public void quota(String region, int machines) {
    stock.region(region, machines);
  }

  /** Makes accepted deletes have no effect, or work again. */
  public void deletesFail(boolean now) {
    deletesFail = now;
  }

  /** What it refused. */
  public SimRefusals refusals() {
    return refusals;
  }

  /** Every existing machine, in its true state. */
  public Collection<SimMachine> machines() {
    return machines.values();
  }

  /** Every machine that ever was. */
  public List<SimMachine> ever() {
    return ever;
  }

  @Override
  public Ordered order(Order order) {
    var known = requests.get(order.requestId());
    var there = machines.get(order.name());
    if (there != null && there.visible) return existing(there, order);
    if (known != null) return new Ordered.Accepted(known);
    if (faultInjector.strikes(Fault.ORDER_NAME_TAKEN)) {
      addForeign(order, Map.of());
      return taken(order);
    }
    var refusal = refusal(order);
    if (refusal.filter(why -> SimFlexRequests.keeps(order, why)).isPresent())
      return flexRequests.keep(order, refusal.get());
    refusal.ifPresent(why -> refusals.add(order, why, time.instant()));
    return refusal.<Ordered>map(Ordered.Refused::new).orElseGet(() -> accept(order));
  }

  private Ordered existing(SimMachine there, Order order) {
    var ours = same(there, order, CloudMachine.CLUSTER) && same(there, order, CloudMachine.WORKER);
    return ours ? new Ordered.Exists(there.machine()) : taken(order);
  }

  private static boolean same(SimMachine there, Order order, String label) {
    return order.labels().get(label) != null
        && order.labels().get(label).equals(there.labels().get(label));
  }

  private static Ordered taken(Order order) {
    return new Ordered.Refused(
        new Refusal(
            Refusal.Kind.INVALID,
            "alreadyExists",
            order.name() + " is another's; choose another name"));
  }

  private Optional<Refusal> refusal(Order order) {
    var zone = order.name().zone();
    if (!stock.has(order.pool().name(), zone) || faultInjector.strikes(Fault.ORDER_STOCKOUT))
      return Optional.of(new Refusal(Refusal.Kind.CAPACITY, "ZONE_RESOURCE_POOL_EXHAUSTED", zone));
    if (!stock.allows(zone) || faultInjector.strikes(Fault.ORDER_QUOTA))
      return Optional.of(new Refusal(Refusal.Kind.QUOTA, "quotaExceeded", "CPUS in the region"));
    return Optional.empty();
  }

  String operation(Order order) {
    var operation = "operation-" + ++number;
    requests.put(order.requestId(), operation);
    return operation;
  }

  void put(String name, Operation operation) {
    operations.put(name, operation);
  }

  /** Makes the machine that the order waited for. */
  void grant(Order order, SimMachine machine, String operation) {
    var starts = startTimes.apply(order).orElseGet(() -> simRandom.seconds(5, 20));
    put(operation, new Operation(time.instant().plus(starts), Optional.empty()));
    time.after(starts, () -> start(machine, true));
    time.after(order.pool().life(), () -> expire(machine));
  }

  private Ordered accept(Order order) {
    var operation = operation(order);
    if (faultInjector.strikes(Fault.ORDER_STOCKOUT_LATER)) {
      var refusal =
          new Refusal(Refusal.Kind.CAPACITY, "ZONE_RESOURCE_POOL_EXHAUSTED", "after a while");
      var end = time.instant().plus(simRandom.seconds(1, 60));
      operations.put(operation, new Operation(end, Optional.of(refusal)));
      refusals.add(order, refusal, end);
      return new Ordered.Accepted(operation);
    }
    stock.take(order.pool().name(), order.name().zone());
    var machine = add(order, false);
    var slow = faultInjector.strikes(Fault.CREATE_SLOW);
    var visible = slow ? simRandom.seconds(0, 120) : Duration.ZERO;
    var starts = slow ? simRandom.seconds(60, 900) : simRandom.seconds(5, 20);
    var done = visible.plus(startTimes.apply(order).orElse(starts));
    operations.put(operation, new Operation(time.instant().plus(done), Optional.empty()));
    if (visible.isZero()) machine.visible = true;
    else time.after(visible, () -> machine.visible = true);
    var boots = !faultInjector.strikes(Fault.BOOT_NEVER);
    time.after(done, () -> start(machine, boots));
    time.after(order.pool().life(), () -> expire(machine));
    return new Ordered.Accepted(operation);
  }

  SimMachine add(Order order, boolean foreign) {
    var machine = new SimMachine(order, Long.toString(++number), time.instant(), foreign);
    machines.put(order.name(), machine);
    ever.add(machine);
    return machine;
  }

  /** Adds a foreign machine, without our labels. */
  public SimMachine addForeign(Order order, Map<String, String> labels) {
    var theirs = new Order(order.name(), order.pool(), labels, Map.of(), "theirs");
    var machine = add(theirs, true);
    machine.visible = true;
    machine.shown = CloudMachine.Status.RUNNING;
    return machine;
  }

  private void start(SimMachine machine, boolean boots) {
    if (machine.gone || machine.deleting || machine.powered) return;
    machine.shown = CloudMachine.Status.RUNNING;
    machine.switchedOn(time.instant());
    if (boots) observer.on(machine);
  }

  @Override
  public Optional<Progress> progress(CloudMachine.Name name, String operation) {
    return Optional.ofNullable(operations.get(operation))
        .map(o ->
            o.end.isAfter(time.instant())
                ? new Progress.Pending()
                : o.failure.<Progress>map(Progress.Failed::new).orElseGet(Progress.Done::new));
  }

  @Override
  public Optional<CloudMachine> find(CloudMachine.Name name) {
    return Optional.ofNullable(machines.get(name)).filter(m -> m.visible).map(SimMachine::machine);
  }

  @Override
  public boolean delete(CloudMachine.Name name) {
    var machine = machines.get(name);
    if (machine == null || !machine.visible) return false;
    observer.deleteAsked(machine);
    if (machine.deleting || deletesFail || faultInjector.strikes(Fault.DELETE_STAYS)) return true;
    machine.deleting(time.instant());
    machine.shown = CloudMachine.Status.STOPPING;
    var takes =
        faultInjector.strikes(Fault.DELETE_SLOW)
            ? simRandom.seconds(60, 240)
            : simRandom.seconds(3, 40);
    time.after(takes.dividedBy(2), () -> switchOff(machine));
    time.after(takes, () -> deleted(machine));
    return true;
  }

  @Override
  public Inventory list() {
    var all = machines.values().stream().filter(m -> m.visible).map(SimMachine::machine).toList();
    var ours = all.stream().filter(m -> m.labels().containsKey(CloudMachine.CLUSTER)).toList();
    if (ours.isEmpty() || !faultInjector.strikes(Fault.LIST_PARTIAL))
      return new Inventory(ours, true, List.of());
    var silent = faultInjector.dice(Fault.LIST_PARTIAL).pick(ours).name().zone();
    return new Inventory(
        ours.stream().filter(m -> !m.name().zone().equals(silent)).toList(),
        false,
        List.of(silent + " did not answer"));
  }

  /**
   * The cloud preempts the machine.
   *
   * @param notice whether it gives notice 30 s before
   * @param lag how long the cloud reports the dead machine as RUNNING
   * @param stays whether the machine stays, STOPPED, until it is deleted
   */
  public void preempt(SimMachine machine, boolean notice, Duration lag, boolean stays) {
    if (machine.gone || !machine.powered) return;
    if (notice) observer.notice(machine);
    time.after(
        notice ? Duration.ofSeconds(30) : Duration.ZERO,
        () -> {
          switchOff(machine);
          time.after(lag, () -> end(machine, stays, MachineEvent.Kind.PREEMPTED));
        });
  }

  /** The machine powers itself off, or its owner stops it: it stays, STOPPED. */
  public void halt(SimMachine machine) {
    if (machine.gone || !machine.powered) return;
    switchOff(machine);
    end(machine, true, MachineEvent.Kind.STOPPED);
  }

  private void end(SimMachine machine, boolean stays, MachineEvent.Kind how) {
    if (!machine.gone) observer.logged(machine, how);
    if (!stays) vanish(machine);
    else if (!machine.gone && !machine.deleting) machine.shown = CloudMachine.Status.STOPPED;
  }

  private void switchOff(SimMachine machine) {
    if (!machine.powered) return;
    machine.switchedOff(time.instant());
    observer.off(machine);
  }

  private void expire(SimMachine machine) {
    if (!machine.gone) observer.expired(machine);
    deleted(machine);
  }

  private void deleted(SimMachine machine) {
    if (!machine.gone) observer.logged(machine, MachineEvent.Kind.DELETED);
    vanish(machine);
  }

  void vanish(SimMachine machine) {
    if (machine.gone) return;
    switchOff(machine);
    machine.gone(time.instant());
    machines.remove(machine.name(), machine);
    if (!machine.waiting) stock.giveBack(pool(machine), machine.name().zone());
  }
}
