package dev.mayfly.wire.document;

import dev.mayfly.core.catalog.AttachableGpu;
import dev.mayfly.core.catalog.GpuMemory;
import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuMachine;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.GpuSharing;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.wire.text.KebabCase;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads what a pool says of one machine: its type, what is added to it, and where it starts from.
 */
final class MachineReader {
  /** As a TPU's {@code api} is written. */
  private static final String CLOUD_TPU = "tpu";

  private static final String COMPUTE = "compute";

  private static final Pattern NO_AGENT = Pattern.compile("projects/(cos|windows)-cloud/.*");

  private final FieldReader pool;
  private final FieldReader choice;
  private final FieldReader machine;
  private final FieldReader tpu;

  /**
   * @param choice what says the type: the pool itself, or one of its anyOf
   */
  MachineReader(FieldReader pool, FieldReader choice) {
    this.pool = pool;
    this.choice = choice;
    this.machine = choice.child("machine");
    this.tpu = choice.child("tpu");
  }

  boolean isTpu() {
    return choice.mapping().get("tpu").isPresent();
  }

  /** Whether Cloud TPU makes the machines. */
  private boolean isNode() {
    return isTpu() && machineOfTpu().isEmpty();
  }

  /**
   * The machine of Compute Engine that is ordered where the pool says a TPU type: if it says so, or
   * if Cloud TPU has none.
   */
  private Optional<TpuMachine> machineOfTpu() {
    if (!isTpu()) return Optional.empty();
    var pinned = tpu.text("api");
    return pinned
        .or(() -> usualApi())
        .filter(COMPUTE::equals)
        .flatMap(_ -> TpuMachine.ofTpu(name()));
  }

  private Optional<String> usualApi() {
    return Optional.of(TpuTypes.of(name()).isPresent() ? CLOUD_TPU : COMPUTE);
  }

  String type() {
    if (choice.mapping().get("machine").isPresent() == isTpu())
      choice.addProblem(
          "machine", "write either machine: {type: n2-standard-4} or tpu: {type: v4-8}");
    return ordered();
  }

  /** The machine type that is ordered; empty without one. */
  String ordered() {
    return machineOfTpu().map(TpuMachine::type).orElseGet(this::name);
  }

  /** The type as it is written; empty without one. */
  String name() {
    return section().name("type");
  }

  private FieldReader section() {
    return isTpu() ? tpu : machine;
  }

  MachineSpec spec() {
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
        isNode() ? Optional.of(node()) : Optional.empty(),
        gpu(),
        machine.text("image"),
        disk.integer("sizeGb", 0),
        disk.text("type"),
        network.text("name"),
        network.text("subnet"),
        pool.text("reservation"),
        machine.flag("compact"),
        sharing());
  }

  /** What is not said is as it was before there was a choice. */
  private Optional<GpuSharing> sharing() {
    return pool.text("gpuSharing")
        .filter(KebabCase.of(GpuSharing.MPS)::equals)
        .map(word -> GpuSharing.MPS);
  }

  private MachineSpec.Tpu node() {
    var type = TpuTypes.of(name());
    type.ifPresent(known -> {
      tpu.text("topology")
          .filter(layout -> !known.takes(layout))
          .ifPresent(layout -> tpu.addProblem("topology", unfit(known, layout)));
      tpu.text("runtime")
          .filter(runtime -> !known.startsFrom(runtime))
          .ifPresent(runtime ->
              tpu.addProblem(
                  "runtime",
                  "'%s' is for v2 to v4, not for %s; leave it out, which is %s"
                      .formatted(runtime, known.type(), known.runtime())));
    });
    return new MachineSpec.Tpu(
        name(), tpu.text("topology"), tpu.text("runtime").orElse(TpuTypes.OLDER_RUNTIME));
  }

  static String unfit(TpuTypes.Tpu type, String layout) {
    return "%s does not fit the %d chips of %s; write %s, or leave it out"
        .formatted(layout, type.chips(), type.type(), type.topology());
  }

  private Optional<MachineSpec.Gpu> gpu() {
    var gpu = machine.child("gpu");
    return gpu.text("type").map(t -> new MachineSpec.Gpu(t, (int) gpu.integer("count", 1)));
  }

  /** All that one machine has; empty for a type that is not known, and for one of one's own. */
  Optional<Resources> shape() {
    var shape = MachineTypes.shape(ordered());
    return isTpu() ? shape : shape.map(s -> gpu().map(g -> s.plus(attached(g))).orElse(s));
  }

  private static Resources attached(MachineSpec.Gpu gpu) {
    return new Resources(0, 0, gpu.count() * 1000L, 0, GpuMemory.of(gpu.type()).orElse(0L));
  }

  /**
   * Reports a type that cannot be, or that is not known while the pool does not say what it has: a
   * new type of Google's is one that it does.
   *
   * @param visible what tasks may use, by the type or as the pool says
   */
  void checkType(Resources visible) {
    var unusable = MachineTypes.unusable(name());
    if (unusable.isPresent()) section().addProblem("type", unusable.get());
    else if (isTpu()) checkTpu();
    else if (TpuTypes.isName(name()) || TpuMachine.ofTpu(name()).isPresent())
      machine.addProblem("type", "'%1$s' is a TPU; write tpu: {type: %1$s}".formatted(name()));
    else if (!name().isEmpty()
        && shape().isEmpty()
        && (visible.cpuMillis() == 0
            || visible.memoryBytes() == 0
            || (hasChips() && visible.tpuChips() == 0)))
      machine.addProblem(
          "type",
          unknown(
              name(),
              MachineTypes.alike(name()).stream().toList(),
              hasChips() ? "cpu: 180, memory: 720Gi, tpu: 4" : "cpu: 4, memory: 16Gi"));
    gpu().ifPresent(it -> checkGpu(it, visible));
  }

  /** Whether it is a machine type of Compute Engine with TPUs, also one that is not known. */
  private boolean hasChips() {
    return TpuMachine.image(ordered()).isPresent();
  }

  /** A TPU of an unknown type cannot be ordered, whatever is visible of it. */
  private void checkTpu() {
    var node = TpuTypes.of(name());
    var machine = TpuMachine.ofTpu(name());
    if (name().isEmpty()) return;
    if (node.isEmpty() && machine.isEmpty())
      tpu.addProblem(
          "type",
          "'%s' is not a TPU type that Mayfly knows; %s".formatted(name(), TpuTypes.hint(name())));
    else if (node.isEmpty() && tpu.text("api").filter(CLOUD_TPU::equals).isPresent())
      tpu.addProblem(
          "api", "Cloud TPU has no %s, which is Compute Engine's; leave it out".formatted(name()));
    else if (machine.isEmpty() && tpu.text("api").filter(COMPUTE::equals).isPresent())
      node.ifPresent(it -> tpu.addProblem("api", notCompute(it)));
    machineOfTpu().ifPresent(this::checkMachineOfTpu);
  }

  private static String notCompute(TpuTypes.Tpu node) {
    return TpuMachine.hasGeneration(node.generation())
        ? "%s has %d hosts, and Mayfly orders TPUs of one host alone from Compute Engine so far; leave it out, or take a TPU of one host"
            .formatted(node.type(), node.hosts())
        : "Compute Engine has no TPUs of %s; leave it out".formatted(node.generation());
  }

  private void checkMachineOfTpu(TpuMachine made) {
    if (tpu.text("topology").isPresent())
      tpu.addProblem(
          "topology", "%s of Compute Engine is one machine; leave it out".formatted(name()));
    if (tpu.text("runtime").isPresent())
      tpu.addProblem(
          "runtime",
          "is Cloud TPU's, and %s of Compute Engine starts from an image; leave it out, or write machine: {type: %s, image: …}"
              .formatted(name(), made.type()));
  }

  private void checkGpu(MachineSpec.Gpu gpu, Resources visible) {
    // They take none, which is said with what else they do not carry out.
    if (hasChips()) return;
    AttachableGpu.whyNot(name(), gpu).ifPresent(why -> machine.addProblem("gpu", why));
    if (!AttachableGpu.isKnown(gpu.type()) && visible.gpuMemoryBytes() == 0)
      machine
          .child("gpu")
          .addProblem(
              "type",
              unknown(gpu.type(), AttachableGpu.alike(gpu.type()), "gpu: 1, gpuMemory: 24Gi"));
  }

  private static String unknown(String type, List<String> alike, String visible) {
    var meant =
        alike.isEmpty()
            ? "; check its name, or say"
            : "; did you mean '" + String.join("' or '", alike) + "'? If it is right, say";
    return "'%s' is not known%s what it has: visible: {%s}".formatted(type, meant, visible);
  }
}
