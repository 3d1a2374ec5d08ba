package dev.mayfly.core.clusters;

import dev.mayfly.core.catalog.PoolOption;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.catalog.TpuTypes.Tpu;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.message.UserCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Manual slices as pools of their cluster: what a command makes of them. Every method throws {@link
 * InvalidInputException} for a command that does not fit the cluster.
 */
public final class SlicePools {
  private static final int MOST = 50;

  /** For slices that are kept at any age. */
  private static final Duration ALWAYS = Duration.ofDays(36_500);

  private SlicePools() {}

  /** The cluster with the slice that the command creates. */
  public static ClusterSpec with(ClusterSpec spec, UserCommand.CreateSlice command) {
    return with(spec, created(spec, command));
  }

  /** The cluster with the pool, in the place of one of that name. */
  static ClusterSpec with(ClusterSpec spec, PoolSpec pool) {
    var pools = new ArrayList<>(spec.pools());
    var number = pools.indexOf(spec.pool(pool.name()).orElse(pool));
    if (number < 0) pools.add(pool);
    else pools.set(number, pool);
    return spec.with(pools);
  }

  /** The new spec of a cluster, with its existing manual slices. */
  public static ClusterSpec kept(ClusterSpec was, ClusterSpec next) {
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

  static PoolSpec deleted(ClusterSpec spec, String name) {
    var slice = slice(spec, name);
    return of(slice, slice.machineType(), 0);
  }

  static PoolSpec created(ClusterSpec spec, UserCommand.CreateSlice command) {
    var tpu = tpu("type", command.type());
    var like = command.like().map(name -> pool(spec, name));
    var pool = slicePool(spec, command, tpu, like);
    PoolOption.refused(pool).stream()
        .findFirst()
        .ifPresent(no -> {
          throw new InvalidInputException(no.path(), no.message());
        });
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
    var runtime = made.tpu().map(MachineSpec.Tpu::runtime).orElse(TpuTypes.OLDER_RUNTIME);
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
            // Of the machine of a pool that it is made like, a TPU has the network alone.
            Optional.empty(),
            0,
            Optional.empty(),
            made.network(),
            made.subnetwork(),
            command.reservation(),
            false),
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

  static PoolSpec reshaped(ClusterSpec spec, UserCommand.ReshapeSlice command) {
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
    var runtime = made.tpu().map(MachineSpec.Tpu::runtime).orElse(TpuTypes.OLDER_RUNTIME);
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

  static String describe(PoolSpec pool) {
    if (pool.max() == 0) return "no more";
    var paid =
        pool.provisioning() != Provisioning.RESERVED
            ? ""
            : pool.machine().reservation().map(r -> ", reserved by " + r).orElse(", reserved");
    return "%dx%s%s".formatted(pool.max(), pool.machineType(), paid);
  }
}
