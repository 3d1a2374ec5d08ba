package dev.mayfly.core.catalog;

import static dev.mayfly.core.catalog.MachineKind.OWN;
import static dev.mayfly.core.catalog.MachineKind.TPU;
import static dev.mayfly.core.catalog.MachineKind.TPU_VM;
import static dev.mayfly.core.catalog.MachineKind.VM;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a pool may ask of its machines beyond their type, and the kinds of machines that do not
 * carry it out. Such an option is refused where it is written, and again by the adapter that orders
 * the machine: it is never read as the default.
 *
 * <p>Tests of the adapters prove that each option that is carried out changes the order.
 */
public enum PoolOption {
  SPOT("provisioning", provisioning(Provisioning.SPOT), Map.of()),
  ON_DEMAND("provisioning", provisioning(Provisioning.ON_DEMAND), Map.of()),
  RESERVED("provisioning", provisioning(Provisioning.RESERVED), Map.of()),
  FLEX_START(
      "provisioning",
      provisioning(Provisioning.FLEX_START),
      Map.of(TPU, "Cloud TPU would make them on demand; write spot, on-demand or reserved")),
  RESERVATION(
      "reservation",
      pool -> pool.machine().reservation().isPresent(),
      Map.of(OWN, "nothing is ordered; leave it out")),
  IMAGE(
      "machine.image",
      pool -> pool.machine().image().isPresent(),
      Map.of(
          TPU, "they start from their runtime version; write tpu.runtime",
          OWN, "they have what is installed there; leave it out")),
  DISK_SIZE("machine.disk.sizeGb", pool -> pool.machine().diskGb() > 0, disk()),
  DISK_TYPE("machine.disk.type", pool -> pool.machine().diskType().isPresent(), disk()),
  GPU(
      "machine.gpu",
      pool -> pool.machine().gpu().isPresent(),
      Map.of(
          TPU, "they have chips alone; leave it out",
          TPU_VM, "they have chips alone; leave it out",
          OWN, "they have what is built in; write what tasks may use in visible.gpu")),
  COMPACT(
      "machine.compact",
      pool -> pool.machine().compact(),
      Map.of(
          TPU, "the hosts of a slice are one machine anyway; leave it out",
          TPU_VM, "each has its chips to itself; leave it out",
          OWN, "they are where they are; leave it out")),
  GPU_SHARING(
      "gpuSharing",
      pool -> pool.machine().hasMps(),
      Map.of(
          TPU, "it is for GPUs, and they have chips; leave it out",
          TPU_VM, "it is for GPUs, and they have chips; leave it out")),
  NETWORK("network.name", pool -> pool.machine().network().isPresent(), network()),
  SUBNETWORK("network.subnet", pool -> pool.machine().subnetwork().isPresent(), network()),
  TOPOLOGY(
      "tpu.topology",
      pool -> pool.machine().tpu().flatMap(MachineSpec.Tpu::topology).isPresent(),
      Map.of(
          VM, "they have no chips; leave it out",
          TPU_VM, "their type says it; leave it out",
          OWN, "they have no chips; leave it out"));

  private final String path;
  private final Predicate<PoolSpec> asked;
  private final Map<MachineKind, String> refused;

  /**
   * @param path of its field in a pool
   * @param refused by each kind of machines that does not carry it out, the remedy
   */
  PoolOption(String path, Predicate<PoolSpec> asked, Map<MachineKind, String> refused) {
    this.path = path;
    this.asked = asked;
    this.refused = refused;
  }

  private static Predicate<PoolSpec> provisioning(Provisioning how) {
    return pool -> pool.provisioning() == how;
  }

  private static Map<MachineKind, String> disk() {
    return Map.of(
        TPU, "they have the disk of their runtime version; leave it out",
        OWN, "they have what is built in; leave it out");
  }

  private static Map<MachineKind, String> network() {
    return Map.of(OWN, "they are where they are; leave it out");
  }

  /** Whether the pool asks for it. */
  public boolean isAsked(PoolSpec pool) {
    return asked.test(pool);
  }

  /** Whether machines of that kind carry it out. */
  public boolean isCarriedOutBy(MachineKind kind) {
    return !refused.containsKey(kind);
  }

  /** What the pool asks for and its machines do not carry out, with paths inside the pool. */
  public static List<InputError> refused(PoolSpec pool) {
    var options = Stream.of(values()).flatMap(option -> option.refusal(pool).stream());
    return Stream.concat(options, payment(pool).stream()).toList();
  }

  /**
   * A reservation is used by those who say so. Compute Engine takes one that is not named where it
   * fits and sells on demand where it does not, so that this is no order from a reservation.
   */
  private static Optional<InputError> payment(PoolSpec pool) {
    var kind = MachineKind.of(pool);
    var reserved = pool.provisioning() == Provisioning.RESERVED;
    if (RESERVATION.isAsked(pool) && !reserved && kind != OWN)
      return Optional.of(new InputError(RESERVATION.path, "needs provisioning: reserved"));
    return kind.isCompute() && reserved && !RESERVATION.isAsked(pool)
        ? Optional.of(
            new InputError(
                RESERVED.path,
                "is reserved, and Compute Engine sells on demand what fits no reservation; name it in reservation, or write on-demand, which takes reservations that fit"))
        : Optional.empty();
  }

  private Optional<InputError> refusal(PoolSpec pool) {
    var kind = MachineKind.of(pool);
    return Optional.ofNullable(refused.get(kind))
        .filter(_ -> isAsked(pool))
        .map(remedy -> "is not for " + kind.words() + ": " + remedy + otherApi(pool))
        .map(message -> new InputError(path, message));
  }

  /** What Compute Engine makes too may be had there. */
  private String otherApi(PoolSpec pool) {
    return this == FLEX_START && TpuMachine.ofTpu(pool.machineType()).isPresent()
        ? ", or api: compute in tpu"
        : "";
  }

  /**
   * For an adapter, before it orders a machine: also of a pool that was stored before this was
   * refused.
   *
   * @throws IllegalArgumentException if its machines do not carry out what the pool asks for
   */
  public static void requireCarriedOut(PoolSpec pool) {
    var refused = refused(pool);
    if (refused.isEmpty()) return;
    throw new IllegalArgumentException(
        refused.stream()
            .map(InputError::toString)
            .collect(Collectors.joining("; ", "Pool " + pool.name() + ": ", "")));
  }
}
