package dev.mayfly.wire.document;

import dev.mayfly.core.catalog.PoolOption;
import dev.mayfly.core.catalog.Regions;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.wire.text.KebabCase;
import dev.mayfly.wire.text.QuantityFormat;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads one pool of a Cluster document. */
final class PoolReader {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Compute Engine's limits of maxRunDuration, also for flex-start. */
  private static final Duration SHORTEST_LIFE = Duration.ofSeconds(30);

  private static final Duration LONGEST_LIFE = Duration.ofDays(120);
  private static final Duration LONGEST_FLEX = Duration.ofDays(7);

  private static final List<String> WORDS =
      Arrays.stream(Provisioning.values()).map(KebabCase::of).toList();

  private final FieldReader pool;
  private final MachineReader machine;

  PoolReader(FieldReader pool) {
    this.pool = pool;
    this.machine = new MachineReader(pool);
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
    checkOptions(plain);
    return StorageReader.named(plain, pool);
  }

  /** Reports what the pool's machines do not carry out. */
  private void checkOptions(PoolSpec read) {
    for (var refused : PoolOption.refused(read)) pool.addProblem(refused.path(), refused.message());
    if (read.machine().hasMps()
        && !read.machineType().isEmpty()
        && !machine.isTpu()
        && read.visible().gpuMillis() == 0)
      pool.addProblem("gpuSharing", "is for GPUs, and tasks see none here; leave it out");
    if (read.provisioning() != Provisioning.STATIC) checkZones();
  }

  private void checkZones() {
    var zones = pool.texts("zones");
    for (var i = 0; i < zones.size(); i++) {
      var at = "zones[" + i + "]";
      misspelt(zones.get(i)).ifPresent(wrong -> pool.addProblem(at, wrong));
    }
  }

  /** What is wrong with a zone's name; a zone that is not known may be a new one. */
  static Optional<String> misspelt(String zone) {
    return Regions.meant(zone)
        .map(right -> "'%s' is not a zone of Google's; did you mean '%s'?".formatted(zone, right));
  }

  private PoolSpec plain(String name, Provisioning how, int min, int max) {
    var workers = pool.child("workers");
    return new PoolSpec(
            name,
            machine.type(),
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
            machine.spec())
        .withLabels(pool.child("labels").scalars())
        .withSpare(spare(how, max));
  }

  private int spare(Provisioning how, int max) {
    var workers = pool.child("workers");
    var spare = (int) workers.integer("spare", 0);
    if (how == Provisioning.STATIC && spare > 0)
      workers.addProblem("spare", "static workers join by themselves; leave it out");
    else if (spare > max)
      workers.addProblem(
          "spare", spare + " is more than max, " + max + "; raise max or lower spare");
    return Math.max(0, Math.min(spare, max));
  }

  /** Static workers join by themselves and are not deleted. */
  private void checkOwn(int min) {
    if (min > 0)
      pool.child("workers").addProblem("min", "static workers join by themselves; leave it out");
    if (machine.isTpu())
      pool.addProblem(
          "tpu", "is for TPUs of the cloud; write machine: {type: own} and what is visible");
    if (pool.child("workers").mapping().get("idleAfter").isPresent())
      pool.child("workers").addProblem("idleAfter", "static workers are not deleted; leave it out");
    if (pool.mapping().get("life").isPresent())
      pool.addProblem("life", "static workers are not deleted; leave it out");
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
    var shape = machine.shape();
    var whole = field.resources(shape.orElse(Resources.ZERO));
    var visible = whole.gpuMillis() > 0 ? whole : whole.withGpuMemory(0);
    machine.checkType(visible);
    shape.ifPresent(s ->
        checkFits(field, pool.child(machine.isTpu() ? "tpu" : "machine").name("type"), visible, s));
    return visible;
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
