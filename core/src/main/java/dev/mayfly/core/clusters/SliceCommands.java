package dev.mayfly.core.clusters;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.catalog.TpuTypes;
import dev.mayfly.core.plan.catalog.TpuTypes.Tpu;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.Timings;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What people ask of slices made by hand. What is wanted is stored with the cluster, as a pool of
 * its own; rounds make it so, however long that takes and whoever has gone home.
 *
 * <p>A repeated message changes nothing, nor does one that was published before the newest about
 * the same slice.
 */
public final class SliceCommands {
  private static final int TRIES = 8;
  private static final int MOST = 50;
  private static final String RUNTIME = "tpu-ubuntu2204-base";

  /** Of what is kept whatever its age. */
  private static final Duration ALWAYS = Duration.ofDays(36_500);

  /** For so long a message may come again. */
  private static final Duration LATE = Duration.ofDays(8);

  private final Ports ports;
  private final WorkerTransitions workerTransitions;
  private final ManualEdits manualEdits;

  public SliceCommands(Ports ports, Timings timings) {
    this.ports = ports;
    workerTransitions = new WorkerTransitions(ports, timings);
    manualEdits = new ManualEdits(ports.codec());
  }

  /** What a cluster's new file says, with the slices by hand that it has. */
  static ClusterSpec withManualSlices(ClusterSpec was, ClusterSpec next) {
    var pools = new ArrayList<>(next.pools());
    for (var slice : was.pools().stream().filter(PoolSpec::manual).toList()) {
      if (next.pool(slice.name()).isPresent())
        throw new InvalidInputException(
            "pools",
            "'%s' is the name of a slice that was made by hand; choose another, or delete it (mayfly slice delete %s)"
                .formatted(slice.name(), slice.name()));
      pools.add(slice);
    }
    return next.with(pools);
  }

  /**
   * Wants a slice. Throws {@link InvalidInputException} when the name has another pool or slice, or
   * when nothing tells where it should be.
   */
  public void create(UserCommand.CreateSlice asked, Instant publishedAt) {
    change(asked.cluster(), asked.name(), publishedAt, spec -> created(spec, asked));
  }

  /**
   * Wants it no more. Throws {@link InvalidInputException} when there is none of that name; one
   * whose message is older and comes later is not made then.
   */
  public void delete(UserCommand.DeleteSlice asked, Instant publishedAt) {
    try {
      change(
          asked.cluster(),
          asked.slice(),
          publishedAt,
          spec -> of(slice(spec, asked.slice()), slice(spec, asked.slice()).machineType(), 0));
    } catch (InvalidInputException none) {
      note(asked, publishedAt);
      throw none;
    }
  }

  private void note(UserCommand.DeleteSlice asked, Instant at) {
    var versionedDocument =
        ClusterLookup.find(ports.ledger(), asked.cluster())
            .flatMap(c -> ports.ledger().read(new DocumentKey.OfCluster(c.uid())));
    if (versionedDocument.isEmpty()) return;
    var there = versionedDocument.get().value().spec().pool(asked.slice());
    // Its creation was taken elsewhere, a moment ago.
    if (there.filter(PoolSpec::manual).isPresent())
      throw new UnavailableException(
          "slice " + asked.slice() + " appeared; the message comes again");
    if (there.isPresent()) return;
    var next =
        versionedDocument
            .get()
            .value()
            .withSliceCommands(recordTime(versionedDocument.get().value(), asked.slice(), at));
    if (!ports
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, versionedDocument.get().version())))
        .done())
      throw new UnavailableException(
          "cluster " + asked.cluster() + " changes too fast; the message comes again");
  }

  private static Map<String, Instant> recordTime(Cluster was, String slice, Instant at) {
    var times = new HashMap<>(was.slices());
    times.put(slice, at);
    times.values().removeIf(t -> t.plus(LATE).isBefore(at));
    return times;
  }

  /**
   * Wants other ones in its place. Throws {@link InvalidInputException} when the chips do not add
   * up.
   */
  public void reshape(UserCommand.ReshapeSlice asked, Instant publishedAt) {
    change(asked.cluster(), asked.slice(), publishedAt, spec -> reshaped(spec, asked));
  }

  private void change(
      String cluster, String slice, Instant at, Function<ClusterSpec, PoolSpec> wish) {
    for (var tries = 0; tries < TRIES; tries++) {
      var uid = ClusterLookup.named(ports.ledger(), cluster).uid();
      var versionedDocument = ports.ledger().read(new DocumentKey.OfCluster(uid));
      if (versionedDocument.isPresent() && changed(versionedDocument.get(), slice, at, wish))
        return;
    }
    throw new UnavailableException(
        "cluster " + cluster + " changes too fast; the message comes again");
  }

  private boolean changed(
      VersionedDocument<Cluster> versionedDocument,
      String slice,
      Instant at,
      Function<ClusterSpec, PoolSpec> wish) {
    var was = versionedDocument.value();
    var told = Optional.ofNullable(was.slices().get(slice));
    if (was.createdAt().isAfter(at) || CommandOrder.of(told, at) != CommandOrder.NEW) return true;
    var pool = wish.apply(was.spec());
    var pools = new ArrayList<>(was.spec().pools());
    var number = pools.indexOf(was.spec().pool(slice).orElse(pool));
    if (number < 0) pools.add(pool);
    else pools.set(number, pool);
    var same = was.spec().pools().equals(pools);
    var changed = same ? was : manualEdits.changed(was, was.spec().with(pools), was.versions());
    var next = changed.withSliceCommands(recordTime(was, slice, at));
    var eventRecord =
        workerTransitions.event(was.uid(), "slice/" + slice, "wanted", describe(pool));
    List<LedgerWrite> ledgerWrites =
        List.of(
            new LedgerWrite.Update(next, versionedDocument.version()),
            new LedgerWrite.Put(eventRecord));
    if (!ports.ledger().commit(ledgerWrites).done()) return false;
    TriggerSender.send(ports.bus(), new Trigger.Look(was.uid()));
    return true;
  }

  private static PoolSpec created(ClusterSpec spec, UserCommand.CreateSlice asked) {
    var tpu = tpu("type", asked.type());
    var like = asked.like().map(name -> pool(spec, name));
    var pool = fresh(spec, asked, tpu, like);
    var there = spec.pool(asked.name());
    if (there.isPresent() && !there.get().manual())
      throw new InvalidInputException(
          "name", "'%s' is a pool's name; choose another".formatted(asked.name()));
    if (there.filter(p -> p.max() > 0 && !p.equals(pool)).isPresent())
      throw new InvalidInputException(
          "name",
          "slice %s is there, and is another one: %s; reshape it, delete it, or choose another name"
              .formatted(asked.name(), describe(there.get())));
    if (there.isEmpty() && spec.pools().stream().filter(PoolSpec::manual).count() >= MOST)
      throw new InvalidInputException(
          "name", "there are %d slices, and no more can be made".formatted(MOST));
    return pool;
  }

  private static PoolSpec fresh(
      ClusterSpec spec, UserCommand.CreateSlice asked, Tpu tpu, Optional<PoolSpec> like) {
    var made = like.map(PoolSpec::machine).orElse(MachineSpec.PLAIN);
    var runtime = made.tpu().map(MachineSpec.Tpu::runtime).orElse(RUNTIME);
    return new PoolSpec(
        asked.name(),
        tpu.type(),
        tpu.host(),
        zones(spec, asked, tpu, like),
        asked.provisioning(),
        asked.count(),
        asked.count(),
        ALWAYS,
        ALWAYS,
        new MachineSpec(
            Optional.of(new MachineSpec.Tpu(tpu.type(), asked.topology(), runtime)),
            Optional.empty(),
            made.image(),
            made.diskGb(),
            made.diskType(),
            made.network(),
            made.subnetwork(),
            asked.reservation(),
            made.compact()),
        true);
  }

  private static List<String> zones(
      ClusterSpec spec, UserCommand.CreateSlice asked, Tpu tpu, Optional<PoolSpec> like) {
    if (asked.zone().isPresent()) return List.of(asked.zone().get());
    return like.or(() -> spec.pools().stream().filter(p -> isOf(p, tpu.generation())).findFirst())
        .map(PoolSpec::zones)
        .orElseThrow(() ->
            new InvalidInputException(
                "zone",
                "no pool of cluster %s has a %s, so say where it is to be, us-central2-b for example"
                    .formatted(spec.name(), tpu.generation())));
  }

  private static boolean isOf(PoolSpec pool, String generation) {
    return TpuTypes.of(pool.machineType())
        .filter(t -> t.generation().equals(generation))
        .isPresent();
  }

  private static PoolSpec reshaped(ClusterSpec spec, UserCommand.ReshapeSlice asked) {
    var was = slice(spec, asked.slice());
    var before = tpu("slice", was.machineType());
    var after = tpu("type", asked.type());
    if (was.max() == 0)
      throw new InvalidInputException(
          "slice", "%s is being deleted; create another".formatted(asked.slice()));
    if (!after.generation().equals(before.generation()))
      throw new InvalidInputException(
          "type", "%s is another generation than %s".formatted(after.type(), before.type()));
    if (after.chips() * asked.count() != before.chips() * was.max())
      throw new InvalidInputException(
          "count",
          "%dx%s has %d chips, and slice %s has %d (%s); write as many"
              .formatted(
                  asked.count(),
                  after.type(),
                  after.chips() * asked.count(),
                  asked.slice(),
                  before.chips() * was.max(),
                  describe(was)));
    return of(was, after.type(), asked.count());
  }

  /** The same of so many of another type; a topology is of the old type. */
  private static PoolSpec of(PoolSpec was, String type, int count) {
    var made = was.machine();
    var runtime = made.tpu().map(MachineSpec.Tpu::runtime).orElse(RUNTIME);
    var same = type.equals(was.machineType());
    return new PoolSpec(
        was.name(),
        type,
        same ? was.visible() : tpu("type", type).host(),
        was.zones(),
        was.provisioning(),
        count,
        count,
        was.idleAfter(),
        was.life(),
        same ? made : made.with(new MachineSpec.Tpu(type, Optional.empty(), runtime)),
        true);
  }

  private static PoolSpec slice(ClusterSpec spec, String name) {
    return spec.pool(name)
        .filter(PoolSpec::manual)
        .orElseThrow(() -> {
          var slices =
              spec.pools().stream()
                  .filter(PoolSpec::manual)
                  .map(PoolSpec::name)
                  .collect(Collectors.joining(", "));
          return new InvalidInputException(
              "slice",
              "there is no slice %s; %s"
                  .formatted(
                      name, slices.isEmpty() ? "none was made by hand" : "there are " + slices));
        });
  }

  private static PoolSpec pool(ClusterSpec spec, String name) {
    return spec.pool(name)
        .orElseThrow(() ->
            new InvalidInputException(
                "pool",
                "there is no pool %s; the pools are %s"
                    .formatted(
                        name,
                        spec.pools().stream()
                            .map(PoolSpec::name)
                            .collect(Collectors.joining(", ")))));
  }

  private static Tpu tpu(String field, String type) {
    return TpuTypes.of(type)
        .orElseThrow(() ->
            new InvalidInputException(field, "'%s' is no TPU type; v4-128 is one".formatted(type)));
  }

  private static String describe(PoolSpec pool) {
    if (pool.max() == 0) return "no more";
    var paid =
        pool.provisioning() != Provisioning.RESERVED
            ? ""
            : pool.machine().reservation().map(r -> ", reserved by " + r).orElse(", reserved");
    return "%dx%s%s".formatted(pool.max(), pool.machineType(), paid);
  }
}
