package dev.mayfly.wire.document;

import dev.mayfly.core.catalog.GpuMemory;
import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.GpuSharing;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.wire.text.KebabCase;
import dev.mayfly.wire.text.QuantityFormat;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads one pool of a Cluster document. */
final class PoolReader {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Compute Engine's limits of maxRunDuration, also for flex-start. */
  private static final Duration SHORTEST_LIFE = Duration.ofSeconds(30);

  private static final Duration LONGEST_LIFE = Duration.ofDays(120);
  private static final Duration LONGEST_FLEX = Duration.ofDays(7);

  private static final Pattern NO_AGENT = Pattern.compile("projects/(cos|windows)-cloud/.*");
  private static final List<String> WORDS =
      Arrays.stream(Provisioning.values()).map(KebabCase::of).toList();
  private static final String TPU_RUNTIME = "tpu-ubuntu2204-base";

  private final FieldReader pool;
  private final FieldReader machine;
  private final FieldReader tpu;

  PoolReader(FieldReader pool) {
    this.pool = pool;
    this.machine = pool.child("machine");
    this.tpu = pool.child("tpu");
  }

  /** The pool, and a second pool for its on-demand machines if it allows any. */
  List<PoolSpec> pools() {
    var plain = pool();
    if (pool.mapping().get("onDemand").isEmpty()) return List.of(plain);
    if (plain.provisioning() != Provisioning.SPOT)
      pool.addProblem("onDemand", "is for spot pools; these machines are not taken back anyway");
    return List.of(plain, plain.fallback((int) pool.child("onDemand").integer("max", 0)));
  }

  private PoolSpec pool() {
    var workers = pool.child("workers");
    var min = (int) workers.integer("min", 0);
    var max = (int) workers.integer("max", min);
    if (max < min)
      workers.addProblem("min", min + " is more than max, " + max + "; raise max or lower min");
    var how = provisioning();
    if (how == Provisioning.STATIC) checkOwn(min);
    var name = pool.name("name");
    if (PoolSpec.isFallback(name))
      pool.addProblem(
          "name",
          "'%s' is what the on-demand machines of a pool '%s' are called; choose another one"
              .formatted(name, PoolSpec.stem(name)));
    var plain = plain(name, how, min, max);
    return StorageReader.named(plain, pool);
  }

  private PoolSpec plain(String name, Provisioning how, int min, int max) {
    var workers = pool.child("workers");
    return new PoolSpec(
            name,
            type(),
            visible(),
            pool.texts("zones"),
            how,
            Math.max(0, Math.min(min, max)),
            Math.max(0, max),
            workers.duration("idleAfter", Duration.ofMinutes(10), SECOND, Duration.ofDays(30)),
            pool.duration(
                "life",
                Duration.ofHours(24),
                SHORTEST_LIFE,
                how == Provisioning.FLEX_START ? LONGEST_FLEX : LONGEST_LIFE),
            machine(how))
        .withLabels(pool.child("labels").scalars());
  }

  /** Static workers join by themselves and are not deleted. */
  private void checkOwn(int min) {
    if (min > 0)
      pool.child("workers")
          .addProblem("min", "machines of one's own join by themselves; leave it out");
    if (isTpu())
      pool.addProblem(
          "tpu", "is for TPUs of the cloud; write machine: {type: own} and what is visible");
    if (pool.mapping().get("life").isPresent())
      pool.addProblem("life", "machines of one's own are not deleted; leave it out");
  }

  private String type() {
    if (pool.mapping().get("machine").isPresent() == pool.mapping().get("tpu").isPresent())
      pool.addProblem(
          "machine", "write either machine: {type: n2-standard-4} or tpu: {type: v4-8}");
    return isTpu() ? tpu.name("type") : machine.name("type");
  }

  private boolean isTpu() {
    return pool.mapping().get("tpu").isPresent();
  }

  private MachineSpec machine(Provisioning how) {
    var reservation = pool.text("reservation");
    if (reservation.isPresent() && how != Provisioning.RESERVED)
      pool.addProblem("reservation", "needs provisioning: reserved");
    if (isTpu() && how == Provisioning.FLEX_START)
      pool.addProblem("provisioning", "flex-start is not for TPUs here; write spot or reserved");
    machine
        .text("image")
        .filter(image -> NO_AGENT.matcher(image).matches())
        .ifPresent(image ->
            machine.addProblem(
                "image",
                "'%s' does not let the agent run from /opt; name a Linux image that does, such as projects/ubuntu-os-cloud/global/images/family/ubuntu-2204-lts"
                    .formatted(image)));
    var disk = machine.child("disk");
    var network = pool.child("network");
    return new MachineSpec(
        isTpu() ? Optional.of(node()) : Optional.empty(),
        gpu(),
        machine.text("image"),
        disk.integer("sizeGb", 0),
        disk.text("type"),
        network.text("name"),
        network.text("subnet"),
        reservation,
        machine.flag("compact"),
        sharing());
  }

  /** What is not said is as it was before there was a choice. */
  private Optional<GpuSharing> sharing() {
    var shared =
        pool.text("gpuSharing")
            .filter(KebabCase.of(GpuSharing.MPS)::equals)
            .map(word -> GpuSharing.MPS);
    if (shared.isPresent() && isTpu())
      pool.addProblem("gpuSharing", "is for GPUs, and this pool has TPUs; leave it out");
    return shared;
  }

  private MachineSpec.Tpu node() {
    TpuTypes.of(tpu.name("type"))
        .ifPresent(type ->
            tpu.text("topology")
                .filter(layout -> !type.takes(layout))
                .ifPresent(layout -> tpu.addProblem("topology", unfit(type, layout))));
    return new MachineSpec.Tpu(
        tpu.name("type"), tpu.text("topology"), tpu.text("runtime").orElse(TPU_RUNTIME));
  }

  static String unfit(TpuTypes.Tpu type, String layout) {
    return "%s does not fit the %d chips of %s; write %s, or leave it out"
        .formatted(layout, type.chips(), type.type(), type.topology());
  }

  private Optional<MachineSpec.Gpu> gpu() {
    var gpu = machine.child("gpu");
    return gpu.text("type").map(t -> new MachineSpec.Gpu(t, (int) gpu.integer("count", 1)));
  }

  private Provisioning provisioning() {
    return pool.text("provisioning")
        .filter(word -> WORDS.contains(word))
        .map(word -> KebabCase.constant(Provisioning.class, word))
        .orElse(Provisioning.SPOT);
  }

  /** The machine's resources, or less if the document says so. */
  private Resources visible() {
    var field = pool.child("visible");
    var type = isTpu() ? tpu.name("type") : machine.name("type");
    var unusable = MachineTypes.unusable(type);
    unusable.ifPresent(why -> (isTpu() ? tpu : machine).addProblem("type", why));
    var shape = shape();
    var whole = field.resources(shape.orElse(Resources.ZERO));
    var visible = whole.gpuMillis() > 0 ? whole : whole.withGpuMemory(0);
    if (shape.isEmpty()
        && unusable.isEmpty()
        && !type.isEmpty()
        && (visible.cpuMillis() == 0 || visible.memoryBytes() == 0))
      (isTpu() ? tpu : machine).addProblem("type", unknown(type));
    shape.ifPresent(s -> checkFits(field, type, visible, s));
    return visible;
  }

  private Optional<Resources> shape() {
    return isTpu()
        ? MachineTypes.shape(tpu.name("type"))
        : MachineTypes.shape(machine.name("type"))
            .map(s -> gpu().map(g -> s.plus(attached(g))).orElse(s));
  }

  private static Resources attached(MachineSpec.Gpu gpu) {
    return new Resources(0, 0, gpu.count() * 1000L, 0, GpuMemory.of(gpu.type()).orElse(0L));
  }

  private static String unknown(String type) {
    return "'"
        + type
        + "' is not known; check its name, or say what it has: visible: {cpu: 4, memory: 16Gi}";
  }

  private static void checkFits(
      FieldReader field, String type, Resources visible, Resources shape) {
    if (visible.cpuMillis() > shape.cpuMillis())
      field.addProblem(
          "cpu",
          tooMuch(
              QuantityFormat.fromMillis(visible.cpuMillis()),
              type,
              QuantityFormat.fromMillis(shape.cpuMillis())));
    if (visible.memoryBytes() > shape.memoryBytes())
      field.addProblem(
          "memory",
          tooMuch(
              QuantityFormat.fromBytes(visible.memoryBytes()),
              type,
              QuantityFormat.fromBytes(shape.memoryBytes())));
    if (shape.gpuMemoryBytes() > 0 && visible.gpuMemoryBytes() > shape.gpuMemoryBytes())
      field.addProblem(
          "gpuMemory",
          tooMuch(
              QuantityFormat.fromBytes(visible.gpuMemoryBytes()),
              "a GPU of " + type,
              QuantityFormat.fromBytes(shape.gpuMemoryBytes())));
  }

  private static String tooMuch(Object wanted, String type, Object has) {
    return wanted + " is more than " + type + " has, " + has + "; write less, or leave it out";
  }
}
