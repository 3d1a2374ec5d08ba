package dev.mayfly.gcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.catalog.PoolOption;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.GpuSharing;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Every combination of what pools may ask of one kind of machines: each is either carried out,
 * which shows in the request, or refused.
 */
public final class PoolCases {
  private static final Set<PoolOption> WAYS =
      EnumSet.of(PoolOption.SPOT, PoolOption.ON_DEMAND, PoolOption.RESERVED, PoolOption.FLEX_START);

  /** The agent carries this out, from the cluster's document. */
  private static final Set<PoolOption> BY_AGENT = EnumSet.of(PoolOption.GPU_SHARING);

  private final String type;
  private final Optional<MachineSpec.Tpu> tpu;

  /**
   * @param tpu of Cloud TPU, else machines of Compute Engine
   */
  public PoolCases(String type, Optional<MachineSpec.Tpu> tpu) {
    this.type = type;
    this.tpu = tpu;
  }

  /** All subsets of the options, with each way to buy. */
  private List<Set<PoolOption>> all() {
    var subsets = new ArrayList<Set<PoolOption>>();
    for (var way : WAYS) subsets.add(EnumSet.of(way));
    var others = EnumSet.complementOf(EnumSet.copyOf(WAYS));
    // Only a TPU has a place to say it.
    if (tpu.isEmpty()) others.remove(PoolOption.TOPOLOGY);
    for (var option : others)
      for (var subset : List.copyOf(subsets)) {
        var more = EnumSet.copyOf(subset);
        more.add(option);
        subsets.add(more);
      }
    return subsets;
  }

  /** Asserts that. */
  public void eachIsCarriedOutOrRefused(Function<Order, Object> request) {
    var carriedOut = 0;
    for (var options : all()) {
      var pool = pool(options);
      assertThat(options).allMatch(option -> option.isAsked(pool));
      if (PoolOption.refused(pool).isEmpty()) {
        carriedOut++;
        eachShows(options, request);
      } else
        assertThatThrownBy(() -> request.apply(order(pool)))
            .as(options.toString())
            .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(carriedOut).isGreaterThan(20);
  }

  /** Without any one of them, or with another way to buy, the request is another. */
  private void eachShows(Set<PoolOption> options, Function<Order, Object> request) {
    var asked = request.apply(order(pool(options)));
    for (var option : options) {
      if (BY_AGENT.contains(option)) continue;
      var others = WAYS.contains(option) ? WAYS : EnumSet.of(option);
      for (var other : others) {
        var changed = EnumSet.copyOf(options);
        changed.remove(option);
        if (WAYS.contains(other)) changed.add(other);
        var pool = pool(changed);
        if (changed.equals(options) || !PoolOption.refused(pool).isEmpty()) continue;
        assertThat(request.apply(order(pool))).as("%s in %s", option, options).isNotEqualTo(asked);
      }
    }
  }

  private PoolSpec pool(Set<PoolOption> options) {
    var machine =
        new MachineSpec(
            tpu.map(t ->
                new MachineSpec.Tpu(
                    t.type(), when(options, PoolOption.TOPOLOGY, "2x4"), t.runtime())),
            options.contains(PoolOption.GPU)
                ? Optional.of(new MachineSpec.Gpu("nvidia-tesla-t4", 1))
                : Optional.empty(),
            when(options, PoolOption.IMAGE, "projects/lab/global/images/mine"),
            options.contains(PoolOption.DISK_SIZE) ? 77 : 0,
            when(options, PoolOption.DISK_TYPE, "pd-ssd"),
            when(options, PoolOption.NETWORK, "other"),
            when(options, PoolOption.SUBNETWORK, "subnet"),
            when(options, PoolOption.RESERVATION, "paid"),
            options.contains(PoolOption.COMPACT),
            options.contains(PoolOption.GPU_SHARING)
                ? Optional.of(GpuSharing.MPS)
                : Optional.empty());
    return new PoolSpec(
        "pool",
        type,
        Resources.cpu(4, 1L << 34),
        List.of("us-central1-a"),
        way(options),
        0,
        1,
        Duration.ofMinutes(5),
        Duration.ofHours(24),
        machine);
  }

  private static Optional<String> when(Set<PoolOption> options, PoolOption option, String value) {
    return options.contains(option) ? Optional.of(value) : Optional.empty();
  }

  private static Provisioning way(Set<PoolOption> options) {
    return WAYS.stream()
        .filter(options::contains)
        .map(option -> Provisioning.valueOf(option.name()))
        .findFirst()
        .orElseThrow();
  }

  private CloudMachine.Kind kind() {
    return tpu.isPresent() ? CloudMachine.Kind.TPU : CloudMachine.Kind.VM;
  }

  private Order order(PoolSpec pool) {
    return new Order(
        new CloudMachine.Name(kind(), "us-central1-a", "m"),
        pool,
        Map.of(CloudMachine.CLUSTER, "c"),
        Map.of(),
        "request");
  }
}
