package dev.mayfly.local.cloud.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Operation;
import dev.mayfly.local.cloud.files.DocumentFolder;
import dev.mayfly.local.cloud.http.ApiError;
import dev.mayfly.local.cloud.vm.VmSpec;
import dev.mayfly.local.cloud.vm.VmTrace;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/**
 * All machines of this cloud and their operations. Every change is on disk before it is seen.
 *
 * <p>Methods that a client's call ends in throw {@link ApiError} for what Compute Engine refuses.
 */
public final class Machines implements AutoCloseable {
  private final Site site;
  private final Links links;
  private final MachineFiles files;
  private final Operations operations;
  private final Map<Machine.Key, Machine> machines = new HashMap<>();
  private final Map<Machine.Key, MachineLife> lives = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private String cloudUrl = "";
  private final ResourcePolicies policies;
  private final Disks disks;
  private final Addresses addresses;

  /**
   * Reads what an earlier process left; {@link #begin} brings it to life.
   *
   * @param folder where machines and operations are kept
   * @param systemEvents is told of each operation that Compute itself began, such as a preemption
   */
  public Machines(Site site, Path folder, Consumer<Operation> systemEvents) {
    this.site = site;
    this.links = new Links(site.project());
    this.policies = new ResourcePolicies(site.project());
    this.disks = new Disks(links, site.dials(), new DocumentFolder(folder.resolve("disks")));
    this.addresses = new Addresses(links, new DocumentFolder(folder.resolve("addresses")));
    this.files = new MachineFiles(new DocumentFolder(folder.resolve("machines")));
    this.operations =
        new Operations(
            new DocumentFolder(folder.resolve("operations")),
            links,
            site.clock(),
            site.random(),
            systemEvents);
    files.read().forEach(machine -> machines.put(machine.key(), machine));
  }

  /**
   * Finds the machines that are running and goes on with all others.
   *
   * @param url where machines find the simulated APIs
   */
  public void begin(String url) {
    locked(() -> {
      cloudUrl = url;
      machines.keySet().forEach(this::beginLife);
      return null;
    });
  }

  Links links() {
    return links;
  }

  ResourcePolicies policies() {
    return policies;
  }

  Disks disks() {
    return disks;
  }

  Addresses addresses() {
    return addresses;
  }

  Operations operations() {
    return operations;
  }

  /** Every instance, in no order. */
  public List<Instance> instances() {
    return locked(() -> machines.values().stream().map(Machine::instance).toList());
  }

  Instance get(String zone, String name) {
    return locked(() -> machine(existing(zone, name)).instance());
  }

  Operation insert(String zone, Instance asked, Optional<String> requestId) {
    var shape = InstanceRules.check(asked);
    policies.check(asked);
    return locked(() ->
        operations.repeated(requestId).orElseGet(() -> insertNew(zone, asked, shape, requestId)));
  }

  /** Begins an operation that ends the machine; repeated, it is the same operation or another. */
  Operation end(String type, Machine.Key key, Fate.Cause cause, Optional<String> requestId) {
    return locked(() -> {
      var repeated = operations.repeated(requestId);
      if (repeated.isPresent()) {
        return repeated.get();
      }
      var machine = machine(existing(key.zone(), key.name()));
      var operation = operations.begin(type, machine.instance(), requestId);
      if (cause == Fate.Cause.STOPPED && machine.instance().getStatus().equals("TERMINATED")) {
        return operations.complete(operation);
      }
      send(key, new Fate(cause, site.clock().instant()));
      return operation;
    });
  }

  /** Sends a machine its fate. */
  void send(Machine.Key key, Fate fate) {
    locked(() -> {
      if (fate.cause() == Fate.Cause.DELETED || fate.cause() == Fate.Cause.STOPPED) {
        update(key, machine -> machine.withStatus("STOPPING").withFate(fate));
      }
      Optional.ofNullable(lives.get(key)).ifPresent(life -> life.meet(fate));
      return null;
    });
  }

  Operation setLabels(Machine.Key key, Map<String, String> labels, String fingerprint) {
    InstanceRules.checkLabels(labels);
    return locked(() -> {
      var instance = machine(existing(key.zone(), key.name())).instance();
      if (!instance.getLabelFingerprint().equals(fingerprint)) {
        throw new ApiError(
            412,
            "conditionNotMet",
            "Labels fingerprint either invalid or resource labels have changed");
      }
      var labelled =
          instance.toBuilder()
              .clearLabels()
              .putAllLabels(labels)
              .setLabelFingerprint(NewInstance.fingerprint(labels))
              .build();
      update(key, machine -> machine.with(labelled));
      var operation = operations.begin("setLabels", labelled, Optional.empty());
      return operations.complete(operation);
    });
  }

  List<Machine.Key> keys(Predicate<Machine.Key> wanted) {
    return locked(() -> machines.keySet().stream().filter(wanted).toList());
  }

  Optional<MachineLife> life(Machine.Key key) {
    return locked(() -> Optional.ofNullable(lives.get(key)));
  }

  boolean exists(Machine.Key key) {
    return locked(() -> machines.containsKey(key));
  }

  Machine machine(Machine.Key key) {
    return locked(() -> Optional.ofNullable(machines.get(key)).orElseThrow());
  }

  Machine update(Machine.Key key, UnaryOperator<Machine> change) {
    return locked(() -> put(change.apply(machine(key))));
  }

  void started(Machine.Key key, VmTrace trace, UnaryOperator<Instance> change) {
    update(key, machine -> machine.with(change.apply(machine.instance())).withTrace(trace));
    operations.finish(machine(key).instance(), "insert"::equals, Optional.empty());
  }

  void failed(Machine.Key key, Refusal refusal) {
    operations.finish(machine(key).instance(), "insert"::equals, Optional.of(refusal));
  }

  void remove(Machine.Key key) {
    locked(() -> {
      disks.outlive(machine(key).instance());
      files.delete(machine(key));
      lives.remove(key);
      return machines.remove(key);
    });
  }

  /** Says that a machine has met its fate, when everyone can see that it has. */
  void ended(Instance instance, Fate fate) {
    if (!fate.cause().operation().isEmpty()) {
      operations.note(
          fate.cause().operation(),
          instance,
          "Instance " + instance.getName() + ": " + fate.cause());
    }
    // A delete that came while the machine was being stopped has yet to be done.
    var gone = !exists(new Machine.Key(Links.last(instance.getZone()), instance.getName()));
    operations.finish(instance, type -> gone || !type.equals("delete"), Optional.empty());
  }

  /** Lets go of all machines; those that run go on running, without metadata servers. */
  @Override
  public void close() {
    var all = locked(() -> List.copyOf(lives.values()));
    all.forEach(MachineLife::leave);
  }

  private Operation insertNew(
      String zone, Instance asked, MachineShape shape, Optional<String> requestId) {
    var key = new Machine.Key(zone, asked.getName());
    if (machines.containsKey(key)) {
      throw new ApiError(
          409,
          "alreadyExists",
          "The resource 'projects/%s/zones/%s/instances/%s' already exists"
              .formatted(site.project(), zone, key.name()));
    }
    var now = site.clock().instant();
    var id = site.random().nextLong(1, Long.MAX_VALUE);
    var address = MachineAddresses.free(machines.values());
    var instance = NewInstance.of(asked, shape, links, zone, id, address, now);
    var refusal = refusal(zone, shape, Machine.gpus(asked, shape).size());
    if (refusal.isPresent()) {
      return operations.refuse("insert", instance, requestId, refusal.get());
    }
    var bootAt = now.plus(site.dials().bootDelay());
    put(new Machine(instance, bootAt, Optional.empty(), Optional.empty()));
    var operation = operations.begin("insert", instance, requestId);
    beginLife(key);
    return operation;
  }

  private Optional<Refusal> refusal(String zone, MachineShape shape, int gpus) {
    return overQuota("cpus", zone, VmSpec::cpus, shape.cpus())
        .or(() -> overQuota("gpus", zone, spec -> spec.gpus().size(), gpus))
        .or(() ->
            site.dials().takeStock(zone, shape.name())
                ? Optional.empty()
                : Optional.of(Refusal.outOfStock(zone, shape.name())))
        .map(refusal -> site.dials().bareRefusals() ? refusal.bare() : refusal);
  }

  private Optional<Refusal> overQuota(
      String metric, String zone, ToIntFunction<VmSpec> amount, int more) {
    var region = Zones.region(zone);
    var most = site.dials().quota(metric, region);
    var used =
        machines.values().stream()
            .filter(machine -> Zones.region(machine.zone()).equals(region))
            .filter(machine -> !machine.instance().getStatus().equals("TERMINATED"))
            .mapToInt(machine -> amount.applyAsInt(machine.spec(site.project())))
            .sum();
    return most.isPresent() && more > 0 && used + more > most.getAsInt()
        ? Optional.of(Refusal.overQuota(metric, region, most.getAsInt()))
        : Optional.empty();
  }

  private void beginLife(Machine.Key key) {
    var life = new MachineLife(key, this, site, cloudUrl);
    lives.put(key, life);
    life.begin();
  }

  private Machine put(Machine machine) {
    files.write(machine);
    machines.put(machine.key(), machine);
    return machine;
  }

  private Machine.Key existing(String zone, String name) {
    var key = new Machine.Key(zone, name);
    if (!machines.containsKey(key)) {
      throw ApiError.notFound(
          "projects/%s/zones/%s/instances/%s".formatted(site.project(), zone, name));
    }
    return key;
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
