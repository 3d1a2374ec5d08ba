package dev.mayfly.wire.document;

import dev.mayfly.core.catalog.FlexStart;
import dev.mayfly.core.catalog.MachineKind;
import dev.mayfly.core.catalog.PoolOption;
import dev.mayfly.core.catalog.Regions;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.PreemptionRule;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.wire.text.KebabCase;
import dev.mayfly.wire.text.QuantityFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads one pool of a Cluster document, or the machines of one type among which it chooses (anyOf).
 */
final class PoolReader {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Compute Engine's limits of maxRunDuration, also for flex-start. */
  private static final Duration SHORTEST_LIFE = Duration.ofSeconds(30);

  private static final Duration LONGEST_LIFE = Duration.ofDays(120);

  private static final List<String> WORDS =
      Arrays.stream(Provisioning.values()).map(KebabCase::of).toList();

  private final FieldReader pool;
  private final FieldReader choice;
  private final boolean isFirst;
  private final MachineReader machine;

  /**
   * @param choice what says the type: the pool itself, or one of its anyOf
   * @param isFirst whether machines that are kept warm are of this type
   */
  private PoolReader(FieldReader pool, FieldReader choice, boolean isFirst) {
    this.pool = pool;
    this.choice = choice;
    this.isFirst = isFirst;
    this.machine = new MachineReader(pool, choice);
  }

  /** The entry's pools, those that are only for urgent work last. */
  static List<PoolSpec> all(FieldReader entry) {
    if (entry.mapping().get("anyOf").isEmpty()) return new PoolReader(entry, entry, true).pools();
    checkChoice(entry);
    var pools = new ArrayList<PoolSpec>();
    var types = new HashSet<String>();
    for (var choice : entry.children("anyOf")) {
      var read = new PoolReader(entry, choice, pools.isEmpty()).pools();
      var type = read.getFirst().machineType();
      if (types.add(type)) pools.addAll(read);
      else choice.addProblem("machine", "'%s' is in anyOf already; write it once".formatted(type));
    }
    return Stream.of(false, true)
        .flatMap(last -> pools.stream().filter(pool -> PoolSpec.isFallback(pool.name()) == last))
        .toList();
  }

  private static void checkChoice(FieldReader entry) {
    for (var field : List.of("machine", "tpu"))
      if (entry.mapping().get(field).isPresent())
        entry.addProblem(field, "the types are in anyOf; write this one there, or leave anyOf out");
    if (entry.text("provisioning").filter(KebabCase.of(Provisioning.STATIC)::equals).isPresent())
      entry.addProblem("anyOf", "static workers are not bought; write machine: {type: own}");
  }

  /** The pool, and a second pool for its on-demand machines if it allows any. */
  private List<PoolSpec> pools() {
    var plain = pool();
    if (pool.mapping().get("onDemand").isEmpty()) return List.of(plain);
    if (plain.provisioning() != Provisioning.SPOT && isFirst)
      pool.addProblem("onDemand", "is for spot pools; these machines are not taken back anyway");
    return List.of(plain, plain.fallback((int) pool.child("onDemand").integer("max", 0)));
  }

  private PoolSpec pool() {
    var workers = pool.child("workers");
    var min = (int) workers.integer("min", 0);
    var max = (int) workers.integer("max", min);
    if (max < min && isFirst)
      workers.addProblem("min", min + " is more than max, " + max + "; raise max or lower min");
    var how = provisioning();
    if (how == Provisioning.STATIC) checkOwn(min);
    var name = pool.name("name");
    if (isFirst) checkName(name);
    var chooses = pool.mapping().get("anyOf").isPresent();
    var ofType = chooses ? PoolSpec.choice(name, machine.ordered()) : name;
    var plain = plain(ofType, how, isFirst ? min : 0, max);
    checkOptions(plain);
    return StorageReader.named(plain, pool);
  }

  private void checkName(String name) {
    if (PoolSpec.isFallback(name))
      pool.addProblem(
          "name",
          "'%s' is what the on-demand machines of a pool '%s' are called; choose another one"
              .formatted(name, PoolSpec.stem(name)));
    if (PoolSpec.isChoice(name))
      pool.addProblem(
          "name",
          "'%s' has '--', as the machines of one type have it among which a pool '%s' chooses; choose another one"
              .formatted(name, PoolSpec.family(name)));
  }

  /** Reports what the pool's machines do not carry out. */
  private void checkOptions(PoolSpec read) {
    for (var refused : PoolOption.refused(read)) pool.addProblem(refused.path(), refused.message());
    if (read.machine().hasMps()
        && !read.machineType().isEmpty()
        && PoolOption.GPU_SHARING.isCarriedOutBy(MachineKind.of(read))
        && read.visible().gpuMillis() == 0)
      pool.addProblem("gpuSharing", "is for GPUs, and tasks see none here; leave it out");
    if (read.provisioning() != Provisioning.STATIC) checkZones();
  }

  /** What says the field: the type among which the pool chooses, or the pool for all of them. */
  private FieldReader saying(String field) {
    return says(field) ? choice : pool;
  }

  private boolean says(String field) {
    return choice.mapping().get(field).isPresent();
  }

  private void checkZones() {
    if (!says("zones") && !isFirst) return;
    var where = saying("zones");
    var zones = where.texts("zones");
    for (var i = 0; i < zones.size(); i++) {
      var at = "zones[" + i + "]";
      misspelt(zones.get(i)).ifPresent(wrong -> where.addProblem(at, wrong));
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
            saying("zones").texts("zones"),
            how,
            Math.max(0, Math.min(min, max)),
            Math.max(0, max),
            workers.duration("idleAfter", Duration.ofMinutes(10), SECOND, Duration.ofDays(30)),
            pool.duration(
                "life",
                Duration.ofHours(24),
                SHORTEST_LIFE,
                how == Provisioning.FLEX_START ? FlexStart.LONGEST_LIFE : LONGEST_LIFE),
            machine.spec())
        .withLabels(pool.child("labels").scalars())
        .withSpare(isFirst ? spare(how, max) : 0)
        .withPreemption(preemption());
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

  private PreemptionRule preemption() {
    return pool.text("preemption")
        .filter(KebabCase.of(PreemptionRule.RUNNING)::equals)
        .map(_ -> PreemptionRule.RUNNING)
        .orElse(PreemptionRule.WAITING);
  }

  private Provisioning provisioning() {
    return pool.text("provisioning")
        .filter(word -> WORDS.contains(word))
        .map(word -> KebabCase.constant(Provisioning.class, word))
        .orElse(Provisioning.SPOT);
  }

  /** The machine's resources, or less if the document says so. */
  private Resources visible() {
    var field = saying("visible").child("visible");
    var shape = machine.shape();
    var whole = field.resources(shape.orElse(Resources.ZERO));
    var visible = whole.gpuMillis() > 0 ? whole : whole.withGpuMemory(0);
    machine.checkType(visible);
    shape.ifPresent(s -> checkFits(field, machine.name(), visible, s));
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
