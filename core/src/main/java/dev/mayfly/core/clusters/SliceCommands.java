package dev.mayfly.core.clusters;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.catalog.TpuTypes.Tpu;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.state.Transactions;
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
 * Commands about manual slices. A wanted slice is stored in its cluster as a pool of its own;
 * reconcile creates it, however long that takes.
 *
 * <p>A repeated message changes nothing, nor does one older than the newest about the same slice.
 */
public final class SliceCommands {
  private static final int MOST = 50;
  private static final String RUNTIME = "tpu-ubuntu2204-base";

  /** For slices that are kept at any age. */
  private static final Duration ALWAYS = Duration.ofDays(36_500);

  /** When a slice's last command is forgotten: well beyond the day that Pub/Sub keeps a message. */
  private static final Duration LATE = Duration.ofDays(8);

  private final Context context;
  private final WorkerTransitions workerTransitions;
  private final ManualEdits manualEdits;

  public SliceCommands(Context context) {
    this.context = context;
    workerTransitions = new WorkerTransitions(context);
    manualEdits = new ManualEdits(context.codec());
  }

  /** The new spec of a cluster, with its existing manual slices. */
  static ClusterSpec withManualSlices(ClusterSpec was, ClusterSpec next) {
    var pools = new ArrayList<>(next.pools());
    for (var slice : was.pools().stream().filter(PoolSpec::manual).toList()) {
      if (next.pool(slice.name()).isPresent())
        throw new InvalidInputException(
            "pools",
            "'%s' is the name of a manual slice; choose another, or delete it (mayfly slice delete %s)"
                .formatted(slice.name(), slice.name()));
      pools.add(slice);
    }
    return next.with(pools);
  }

  /**
   * Creates a slice. Throws {@link InvalidInputException} if a pool or another slice has the name,
   * or its zone is unknown.
   */
  public void create(UserCommand.CreateSlice command, Instant publishedAt) {
    change(command.cluster(), command.name(), publishedAt, spec -> created(spec, command));
  }

  /**
   * Deletes a slice. Throws {@link InvalidInputException} if there is none of that name; an older
   * message that would create it then has no effect.
   */
  public void delete(UserCommand.DeleteSlice command, Instant publishedAt) {
    try {
      change(
          command.cluster(),
          command.slice(),
          publishedAt,
          spec -> of(slice(spec, command.slice()), slice(spec, command.slice()).machineType(), 0));
    } catch (InvalidInputException none) {
      recordDelete(command, publishedAt);
      throw none;
    }
  }

  private void recordDelete(UserCommand.DeleteSlice command, Instant at) {
    var versionedDocument =
        ClusterLookup.find(context.ledger(), command.cluster())
            .flatMap(c -> context.ledger().read(new DocumentKey.OfCluster(c.uid())));
    if (versionedDocument.isEmpty()) return;
    var existing = versionedDocument.get().value().spec().pool(command.slice());
    // Another instance has just handled its creation.
    if (existing.filter(PoolSpec::manual).isPresent())
      throw new UnavailableException(
          "slice " + command.slice() + " appeared; the message is delivered again");
    if (existing.isPresent()) return;
    var next =
        versionedDocument
            .get()
            .value()
            .withSliceCommands(recordTime(versionedDocument.get().value(), command.slice(), at));
    if (!context
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, versionedDocument.get().version())))
        .done())
      throw new UnavailableException(
          "cluster " + command.cluster() + " changes too fast; the message is delivered again");
  }

  private static Map<String, Instant> recordTime(Cluster was, String slice, Instant at) {
    var times = new HashMap<>(was.slices());
    times.put(slice, at);
    times.values().removeIf(t -> t.plus(LATE).isBefore(at));
    return times;
  }

  /**
   * Replaces a slice by others. Throws {@link InvalidInputException} if the chips do not add up.
   */
  public void reshape(UserCommand.ReshapeSlice command, Instant publishedAt) {
    change(command.cluster(), command.slice(), publishedAt, spec -> reshaped(spec, command));
  }

  private void change(
      String cluster, String slice, Instant at, Function<ClusterSpec, PoolSpec> change) {
    Transactions.retry(
        "cluster " + cluster,
        () -> {
          var uid = ClusterLookup.named(context.ledger(), cluster).uid();
          var versionedDocument = context.ledger().read(new DocumentKey.OfCluster(uid));
          return versionedDocument.isPresent()
              && changed(versionedDocument.get(), slice, at, change);
        });
  }

  private boolean changed(
      VersionedDocument<Cluster> versionedDocument,
      String slice,
      Instant at,
      Function<ClusterSpec, PoolSpec> change) {
    var was = versionedDocument.value();
    var newest = Optional.ofNullable(was.slices().get(slice));
    if (was.createdAt().isAfter(at) || CommandOrder.of(newest, at) != CommandOrder.NEW) return true;
    var pool = change.apply(was.spec());
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
    if (!context.ledger().commit(ledgerWrites).done()) return false;
    TriggerSender.send(context.bus(), new Trigger.Reconcile(was.uid()));
    return true;
  }

  private static PoolSpec created(ClusterSpec spec, UserCommand.CreateSlice command) {
    var tpu = tpu("type", command.type());
    var like = command.like().map(name -> pool(spec, name));
    var pool = slicePool(spec, command, tpu, like);
    var existing = spec.pool(command.name());
    if (existing.isPresent() && !existing.get().manual())
      throw new InvalidInputException(
          "name", "'%s' is a pool's name; choose another".formatted(command.name()));
    if (existing.filter(p -> p.max() > 0 && !p.equals(pool)).isPresent())
      throw new InvalidInputException(
          "name",
          "slice %s is there, and is another one: %s; reshape it, delete it, or choose another name"
              .formatted(command.name(), describe(existing.get())));
    if (existing.isEmpty() && spec.pools().stream().filter(PoolSpec::manual).count() >= MOST)
      throw new InvalidInputException(
          "name", "there are %d slices already, the most for a cluster".formatted(MOST));
    return pool;
  }

  private static PoolSpec slicePool(
      ClusterSpec spec, UserCommand.CreateSlice command, Tpu tpu, Optional<PoolSpec> like) {
    var made = like.map(PoolSpec::machine).orElse(MachineSpec.PLAIN);
    var runtime = made.tpu().map(MachineSpec.Tpu::runtime).orElse(RUNTIME);
    return new PoolSpec(
        command.name(),
        tpu.type(),
        tpu.host(),
        zones(spec, command, tpu, like),
        command.provisioning(),
        command.count(),
        command.count(),
        ALWAYS,
        ALWAYS,
        new MachineSpec(
            Optional.of(new MachineSpec.Tpu(tpu.type(), command.topology(), runtime)),
            Optional.empty(),
            made.image(),
            made.diskGb(),
            made.diskType(),
            made.network(),
            made.subnetwork(),
            command.reservation(),
            made.compact()),
        true);
  }

  private static List<String> zones(
      ClusterSpec spec, UserCommand.CreateSlice command, Tpu tpu, Optional<PoolSpec> like) {
    if (command.zone().isPresent()) return List.of(command.zone().get());
    return like.or(() -> spec.pools().stream().filter(p -> isOf(p, tpu.generation())).findFirst())
        .map(PoolSpec::zones)
        .orElseThrow(() ->
            new InvalidInputException(
                "zone",
                "no pool of cluster %s has a %s, so name its zone, us-central2-b for example"
                    .formatted(spec.name(), tpu.generation())));
  }

  private static boolean isOf(PoolSpec pool, String generation) {
    return TpuTypes.of(pool.machineType())
        .filter(t -> t.generation().equals(generation))
        .isPresent();
  }

  private static PoolSpec reshaped(ClusterSpec spec, UserCommand.ReshapeSlice command) {
    var was = slice(spec, command.slice());
    var before = tpu("slice", was.machineType());
    var after = tpu("type", command.type());
    if (was.max() == 0)
      throw new InvalidInputException(
          "slice", "%s is being deleted; create another".formatted(command.slice()));
    if (!after.generation().equals(before.generation()))
      throw new InvalidInputException(
          "type", "%s is another generation than %s".formatted(after.type(), before.type()));
    if (after.chips() * command.count() != before.chips() * was.max())
      throw new InvalidInputException(
          "count",
          "%dx%s has %d chips, and slice %s has %d (%s); write as many"
              .formatted(
                  command.count(),
                  after.type(),
                  after.chips() * command.count(),
                  command.slice(),
                  before.chips() * was.max(),
                  describe(was)));
    return of(was, after.type(), command.count());
  }

  /** The pool with another type and count; a topology belongs to the old type. */
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
                      name, slices.isEmpty() ? "there are none" : "known slices: " + slices));
        });
  }

  private static PoolSpec pool(ClusterSpec spec, String name) {
    return spec.pool(name)
        .orElseThrow(() ->
            new InvalidInputException(
                "pool",
                "there is no pool %s; known pools: %s"
                    .formatted(
                        name,
                        spec.pools().stream()
                            .map(PoolSpec::name)
                            .collect(Collectors.joining(", ")))));
  }

  private static Tpu tpu(String field, String type) {
    return TpuTypes.of(type)
        .orElseThrow(() ->
            new InvalidInputException(
                field, "'%s' is not a TPU type; v4-128 is one".formatted(type)));
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
