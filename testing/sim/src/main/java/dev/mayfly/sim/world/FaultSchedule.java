package dev.mayfly.sim.world;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Schedules a world's external faults: preemptions, freezes, outages, kills. */
final class FaultSchedule {
  private final World world;
  private static final Duration BETWEEN_DENIALS = Duration.ofMinutes(3);

  private final SimRandom simRandom;
  private final Map<Fault, Instant> deniedUntil = new EnumMap<>(Fault.class);

  FaultSchedule(World world) {
    this.world = world;
    simRandom = world.dice().of("storm");
  }

  void plan(Duration length) {
    often(Fault.PREEMPTED_WITH_NOTICE, length, 4, f -> preempt(f, true));
    often(Fault.PREEMPTED_WITHOUT_NOTICE, length, 4, f -> preempt(f, false));
    often(Fault.PREEMPTED_ALL, length, 1, f -> world.powered().forEach(h -> preempt(f, h, false)));
    often(Fault.STOPPED_MACHINE, length, 2, f -> onHost(f, h -> world.fleet().halt(h.machine())));
    often(Fault.HOST_FROZEN, length, 3, f -> onHost(f, h -> sleep(h, seconds(f, 5, 1_200), false)));
    often(
        Fault.HOST_SUSPENDED,
        length,
        2,
        f -> onHost(f, h -> sleep(h, seconds(f, 30, 1_800), true)));
    often(Fault.HOST_CUT_OFF, length, 3, f -> onHost(f, h -> cut(h, seconds(f, 5, 2_400))));
    often(Fault.DISK_BROKEN, length, 2, f -> onHost(f, h -> h.breakDisk(seconds(f, 5, 1_200))));
    often(Fault.DISK_FULL, length, 3, f -> onHost(f, h -> h.fillDisk(seconds(f, 5, 600))));
    often(Fault.DEVICE_LOST, length, 2, f -> onHost(f, h -> h.loseDevice(seconds(f, 60, 1_800))));
    often(Fault.CLOCK_STEP, length, 3, f -> onHost(f, h -> h.clock().stepBy(step(f))));
    often(Fault.AGENT_RESTART, length, 4, f -> onHost(f, SimHost::restartAgent));
    often(Fault.INSTANCE_KILLED, length, 6, f -> world.gateway().killOne());
    often(Fault.INSTANCE_STALLED, length, 4, f -> stall(f, seconds(f, 20, 120)));
    often(Fault.CLOCK_BACK_AND_RESTART, length, 3, f -> onHost(f, h -> backAndRestart(f, h)));
    often(Fault.CONTROL_AWAY, length, 2, f -> away(f, seconds(f, 5, 600)));
    often(Fault.LEDGER_AWAY, length, 2, f -> ledgerAway(f, seconds(f, 2, 300)));
    often(Fault.OBJECTS_AWAY, length, 2, f -> objectsAway(f, seconds(f, 2, 180)));
    often(Fault.TICKS_AWAY, length, 1, f -> ticksAway(f, seconds(f, 90, 1_800)));
    often(Fault.FLEET_AWAY, length, 2, f -> fleetAway(f, seconds(f, 20, 600)));
    often(Fault.REGION_AWAY, length, 1, f -> regionAway(f, seconds(f, 60, 1_800)));
    often(Fault.ORPHAN_MACHINE, length, 2, this::orphan);
    often(Fault.DOCUMENT_UNREADABLE, length, 4, this::spoil);
    often(Fault.UNREADABLE_FOR_LONG, length, 1, this::spoilForLong);
    often(Fault.LEDGER_DENIED, length, 2, f -> denied(f, seconds(f, 20, 400)));
    often(Fault.OBJECTS_DENIED, length, 2, f -> denied(f, seconds(f, 20, 240)));
    var log = world.gateway().log();
    often(Fault.EVENT_OF_ANOTHER, length, 4, f -> onHost(f, h -> log.ofAnother(h.machine())));
    if (world.weather().has(Fault.FOREIGN_MACHINES)) foreign();
  }

  private void often(Fault fault, Duration length, int most, Consumer<Fault> what) {
    if (!world.weather().has(fault)) return;
    var times = world.weather().dice(fault).between(1, most);
    for (var i = 0; i < times; i++) {
      var at = length.multipliedBy(world.weather().dice(fault).between(1, 99)).dividedBy(100);
      world
          .time()
          .after(
              at,
              () -> {
                if (world.weather().has(fault)) what.accept(fault);
              });
    }
  }

  private Duration seconds(Fault fault, int low, int high) {
    var d = world.weather().dice(fault);
    return d.chance(0.5) ? d.seconds(low, Math.min(high, low * 10)) : d.seconds(low, high);
  }

  private Duration step(Fault fault) {
    var d = world.weather().dice(fault);
    return d.seconds(1, 600).multipliedBy(d.chance(0.5) ? 1 : -1);
  }

  private void onHost(Fault fault, Consumer<SimHost> what) {
    var simHosts = world.powered();
    if (simHosts.isEmpty()) return;
    var simHost = world.weather().dice(fault).pick(simHosts);
    world.weather().recordStrike(fault, simHost.worker());
    what.accept(simHost);
  }

  private void preempt(Fault fault, boolean notice) {
    onHost(fault, h -> take(h, notice));
  }

  private void preempt(Fault fault, SimHost simHost, boolean notice) {
    world.weather().recordStrike(fault, simHost.worker());
    take(simHost, notice);
  }

  private void take(SimHost simHost, boolean notice) {
    var lag =
        world.weather().strikes(Fault.DEAD_BUT_RUNNING)
            ? world.weather().dice(Fault.DEAD_BUT_RUNNING).seconds(30, 600)
            : Duration.ofSeconds(1);
    world.fleet().preempt(simHost.machine(), notice, lag, simRandom.chance(0.3));
  }

  private void sleep(SimHost simHost, Duration time, boolean suspended) {
    // The end of the first sleep would end the second, whose clocks would stand still awake.
    if (simHost.frozen()) return;
    simHost.freeze();
    world.time().after(time, () -> simHost.resume(suspended ? time : Duration.ZERO));
  }

  private void stall(Fault fault, Duration time) {
    var instanceRouter = world.gateway();
    instanceRouter
        .any()
        .ifPresent(i -> {
          world.weather().recordStrike(fault, i.name() + " " + time);
          instanceRouter.stall(i, time);
        });
  }

  private void backAndRestart(Fault fault, SimHost simHost) {
    simHost.clock().stepBy(world.weather().dice(fault).seconds(1, 600).negated());
    simHost.restartAgent();
  }

  private void cut(SimHost simHost, Duration time) {
    simHost.cut(true);
    world.time().after(time, () -> simHost.cut(false));
  }

  private void away(Fault fault, Duration time) {
    if (!world.skies().control) return;
    world.weather().recordStrike(fault, time.toString());
    world.gateway().stopAll();
    world.time().after(time, () -> world.gateway().startAll());
  }

  private void ledgerAway(Fault fault, Duration time) {
    world.weather().recordStrike(fault, time.toString());
    world.skies().ledger = false;
    world.time().after(time, () -> world.skies().ledger = true);
  }

  private void objectsAway(Fault fault, Duration time) {
    world.weather().recordStrike(fault, time.toString());
    world.skies().objects = false;
    world.time().after(time, () -> world.skies().objects = true);
  }

  private void ticksAway(Fault fault, Duration time) {
    world.weather().recordStrike(fault, time.toString());
    tick(false);
    world.time().after(time, () -> tick(true));
  }

  private void tick(boolean on) {
    world.skies().ticks = on;
    world.truth().withoutTicks(!on);
  }

  private void fleetAway(Fault fault, Duration time) {
    world.weather().recordStrike(fault, time.toString());
    world.skies().fleet = false;
    world.time().after(time, () -> world.skies().fleet = true);
  }

  private void regionAway(Fault fault, Duration time) {
    // Longer than the cut-off of a partitioned agent.
    if (time.compareTo(Duration.ofMinutes(14)) > 0) {
      world.truth().unreachable(true);
      world.time().after(time, () -> world.truth().unreachable(false));
    }
    away(fault, time);
    ledgerAway(fault, time);
    objectsAway(fault, time);
    ticksAway(fault, time);
    fleetAway(fault, time);
  }

  /** A denial that lasts for long is no fault any more: what is denied fails for good. */
  private void denied(Fault fault, Duration time) {
    var now = world.time().instant();
    var before = deniedUntil.getOrDefault(fault, Instant.MIN);
    if (now.isBefore(before)) return;
    deniedUntil.put(fault, now.plus(time).plus(BETWEEN_DENIALS));
    world.weather().recordStrike(fault, time.toString());
    world.skies().deny(fault);
    world.time().after(time, () -> world.skies().grant(fault));
  }

  /** For less than the cut-off after which partitioned agents end their tasks. */
  private void spoil(Fault fault) {
    var dice = world.weather().dice(fault);
    var kinds = new TreeMap<String, List<LedgerDocument>>();
    for (var ledgerDocument : world.ledger().under(""))
      kinds
          .computeIfAbsent(ledgerDocument.getClass().getSimpleName(), _ -> new ArrayList<>())
          .add(ledgerDocument);
    if (kinds.isEmpty()) return;
    var documentKey = dice.pick(dice.pick(List.copyOf(kinds.values()))).key();
    world.weather().recordStrike(fault, documentKey.path());
    world.ledger().spoil(documentKey);
    world.time().after(seconds(fault, 10, 600), () -> world.ledger().mend(documentKey));
  }

  /** Spoils a document of the first cluster, if there is a second one. */
  private void spoilForLong(Fault fault) {
    if (world.scenario().neighbour().isEmpty()) return;
    var dice = world.weather().dice(fault);
    for (var cluster : world.truth().all(Cluster.class)) {
      if (!cluster.spec().name().equals("lab")) continue;
      var ledgerDocuments = List.copyOf(world.ledger().under(cluster.key().path()));
      var documentKey = dice.pick(ledgerDocuments).key();
      world.weather().recordStrike(fault, documentKey.path());
      world.skies().spoil(world, cluster.uid(), documentKey);
    }
  }

  private void foreign() {
    world.weather().recordStrike(Fault.FOREIGN_MACHINES, "");
    place("foreign-a", Map.of());
    place("foreign-b", Map.of("owner", "bob"));
    place("foreign-c", labels("c-of-somebody-else", "foreign-c"));
  }

  /**
   * Adds a machine with our label and no document, as after a lost document or a copied machine.
   */
  private void orphan(Fault fault) {
    var clusters = world.truth().all(Cluster.class);
    if (clusters.isEmpty()) return;
    var name = "lab-small-orphan" + simRandom.between(100, 999);
    world.weather().recordStrike(fault, name);
    place(name, labels(clusters.getFirst().uid(), name)).addOurLabel();
  }

  private static Map<String, String> labels(String cluster, String worker) {
    return Map.of(
        CloudMachine.CLUSTER, cluster, CloudMachine.WORKER, worker, CloudMachine.POOL, "small");
  }

  private SimMachine place(String name, Map<String, String> labels) {
    var pool = world.scenario().cluster().pools().getFirst();
    var where = new CloudMachine.Name(pool.zones().getFirst(), name);
    return world.fleet().addForeign(new Fleet.Order(where, pool, labels, Map.of(), "bob"), labels);
  }
}
