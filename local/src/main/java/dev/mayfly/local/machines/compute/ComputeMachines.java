package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Operation;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.machines.CloudContext;
import dev.mayfly.local.machines.FaultControls;
import dev.mayfly.local.machines.StoredRecords;
import dev.mayfly.local.machines.StoredValues;
import dev.mayfly.local.machines.VmHandle;
import dev.mayfly.local.machines.VmSpec;
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
 * All machines of this cloud and their operations. Every change is durable before it is visible.
 * Methods throw {@link ApiError} for what Compute Engine refuses.
 */
public final class ComputeMachines implements AutoCloseable {
  private final CloudContext cloudContext;
  private final ResourceLinks resourceLinks;
  private final StoredValues<ComputeMachine> files;
  private final ZonalOperations zonalOperations;
  private final Map<ComputeMachine.Key, ComputeMachine> computeMachines = new HashMap<>();
  private final Map<ComputeMachine.Key, MachineLifecycle> lives = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private String cloudUrl = "";
  private final ResourcePolicies policies;
  private final PersistentDisks persistentDisks;
  private final StaticAddresses staticAddresses;

  /**
   * Reads the state of an earlier process; {@link #begin} starts the machines.
   *
   * @param folder the folder of machines and operations
   * @param systemEvents receives each operation that Compute itself began, such as a preemption
   */
  public ComputeMachines(CloudContext cloudContext, Path folder, Consumer<Operation> systemEvents) {
    this.cloudContext = cloudContext;
    this.resourceLinks = new ResourceLinks(cloudContext.project());
    this.policies = new ResourcePolicies(resourceLinks);
    this.persistentDisks =
        new PersistentDisks(resourceLinks, cloudContext.faultControls(), folder.resolve("disks"));
    this.staticAddresses = new StaticAddresses(resourceLinks, folder.resolve("addresses"));
    this.files =
        StoredRecords.of(
            folder.resolve("machines"),
            ComputeMachine.class,
            Instance.getDefaultInstance(),
            ComputeMachine::id);
    this.zonalOperations =
        new ZonalOperations(
            folder.resolve("operations"),
            resourceLinks,
            cloudContext.clock(),
            cloudContext.random(),
            systemEvents);
    files
        .list(computeMachine -> true)
        .forEach(computeMachine -> computeMachines.put(computeMachine.key(), computeMachine));
  }

  /**
   * Finds the running machines and resumes all others.
   *
   * @param url the URL of the simulated APIs for machines
   */
  public void begin(String url) {
    locked(() -> {
      cloudUrl = url;
      computeMachines.keySet().forEach(this::beginLife);
      return null;
    });
  }

  ResourceLinks links() {
    return resourceLinks;
  }

  ResourcePolicies policies() {
    return policies;
  }

  PersistentDisks disks() {
    return persistentDisks;
  }

  StaticAddresses addresses() {
    return staticAddresses;
  }

  ZonalOperations operations() {
    return zonalOperations;
  }

  /** Every instance, unordered. */
  public List<Instance> instances() {
    return locked(() -> computeMachines.values().stream().map(ComputeMachine::instance).toList());
  }

  Instance get(String zone, String name) {
    return locked(() -> machine(existing(zone, name)).instance());
  }

  Operation insert(String zone, Instance asked, Optional<String> requestId) {
    var shape = InstanceValidator.check(asked);
    policies.check(asked);
    InstanceValidator.checkReservation(asked, cloudContext.faultControls()::hasReservation);
    return locked(() ->
        zonalOperations
            .repeated(requestId)
            .orElseGet(() -> insertNew(zone, asked, shape, requestId)));
  }

  /** Begins an operation that ends the machine; a repeat returns the same one or a new one. */
  Operation end(
      String type, ComputeMachine.Key key, Termination.Cause cause, Optional<String> requestId) {
    return locked(() -> {
      var repeated = zonalOperations.repeated(requestId);
      if (repeated.isPresent()) {
        return repeated.get();
      }
      var computeMachine = machine(existing(key.zone(), key.name()));
      var operation = zonalOperations.begin(type, computeMachine.instance(), requestId);
      if (cause == Termination.Cause.STOPPED
          && computeMachine.instance().getStatus().equals("TERMINATED")) {
        return zonalOperations.complete(operation);
      }
      terminate(key, new Termination(cause, cloudContext.clock().instant()));
      return operation;
    });
  }

  /** Sends a machine its termination. */
  void terminate(ComputeMachine.Key key, Termination termination) {
    locked(() -> {
      if (termination.cause() == Termination.Cause.DELETED
          || termination.cause() == Termination.Cause.STOPPED) {
        update(
            key,
            computeMachine -> computeMachine.withStatus("STOPPING").withTermination(termination));
      }
      Optional.ofNullable(lives.get(key)).ifPresent(life -> life.terminate(termination));
      return null;
    });
  }

  Operation setLabels(ComputeMachine.Key key, Map<String, String> labels, String fingerprint) {
    InstanceValidator.checkLabels(labels);
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
              .setLabelFingerprint(InstanceOutputFields.fingerprint(labels))
              .build();
      update(key, computeMachine -> computeMachine.withInstance(labelled));
      var operation = zonalOperations.begin("setLabels", labelled, Optional.empty());
      return zonalOperations.complete(operation);
    });
  }

  List<ComputeMachine.Key> keys(Predicate<ComputeMachine.Key> wanted) {
    return locked(() -> computeMachines.keySet().stream().filter(wanted).toList());
  }

  Optional<MachineLifecycle> lifecycle(ComputeMachine.Key key) {
    return locked(() -> Optional.ofNullable(lives.get(key)));
  }

  boolean exists(ComputeMachine.Key key) {
    return locked(() -> computeMachines.containsKey(key));
  }

  ComputeMachine machine(ComputeMachine.Key key) {
    return locked(() -> Optional.ofNullable(computeMachines.get(key)).orElseThrow());
  }

  ComputeMachine update(ComputeMachine.Key key, UnaryOperator<ComputeMachine> change) {
    return locked(() -> put(change.apply(machine(key))));
  }

  void started(ComputeMachine.Key key, VmHandle trace, UnaryOperator<Instance> change) {
    update(
        key,
        computeMachine ->
            computeMachine.withInstance(change.apply(computeMachine.instance())).withHandle(trace));
    zonalOperations.finish(machine(key).instance(), "insert"::equals, Optional.empty());
  }

  void failed(ComputeMachine.Key key, OperationError operationError) {
    zonalOperations.finish(machine(key).instance(), "insert"::equals, Optional.of(operationError));
  }

  void remove(ComputeMachine.Key key) {
    locked(() -> {
      persistentDisks.machineDeleted(machine(key).instance());
      files.remove(machine(key).id());
      lives.remove(key);
      return computeMachines.remove(key);
    });
  }

  /** Records a machine's termination once it is visible. */
  void ended(Instance instance, Termination termination) {
    if (!termination.cause().operation().isEmpty()) {
      zonalOperations.recordSystemEvent(
          termination.cause().operation(),
          instance,
          "Instance " + instance.getName() + ": " + termination.cause());
    }
    // A delete that arrived while the machine was stopping is still pending.
    var gone =
        !exists(new ComputeMachine.Key(ResourceLinks.last(instance.getZone()), instance.getName()));
    zonalOperations.finish(instance, type -> gone || !type.equals("delete"), Optional.empty());
  }

  /** Releases all machines; running machines continue without metadata servers. */
  @Override
  public void close() {
    var all = locked(() -> List.copyOf(lives.values()));
    all.forEach(MachineLifecycle::detach);
  }

  private Operation insertNew(
      String zone, Instance asked, MachineShape shape, Optional<String> requestId) {
    var key = new ComputeMachine.Key(zone, asked.getName());
    if (computeMachines.containsKey(key)) {
      throw ResourceLinks.taken(resourceLinks.inZone(zone, "instances", key.name()));
    }
    var now = cloudContext.clock().instant();
    var id = cloudContext.random().nextLong(1, Long.MAX_VALUE);
    var address = InternalAddresses.free(computeMachines.values());
    var instance = InstanceOutputFields.of(asked, shape, resourceLinks, zone, id, address, now);
    var operationError = refusal(zone, shape, ComputeMachine.gpus(asked, shape).size());
    if (operationError.isPresent()) {
      return zonalOperations.recordFailed("insert", instance, requestId, operationError.get());
    }
    var bootAt = now.plus(cloudContext.faultControls().bootDelay());
    put(new ComputeMachine(instance, bootAt, Optional.empty(), Optional.empty()));
    var operation = zonalOperations.begin("insert", instance, requestId);
    beginLife(key);
    return operation;
  }

  private Optional<OperationError> refusal(String zone, MachineShape shape, int gpus) {
    return overQuota("cpus", zone, VmSpec::cpus, shape.cpus())
        .or(() -> overQuota("gpus", zone, spec -> spec.gpus().size(), gpus))
        .or(() -> overQuota(FaultControls.TPUS, zone, VmSpec::tpuChips, shape.tpuChips()))
        .or(() ->
            cloudContext.faultControls().takeStock(zone, shape.name())
                ? Optional.empty()
                : Optional.of(OperationError.outOfStock(zone, shape.name())))
        .map(operationError ->
            cloudContext.faultControls().bareErrors() ? operationError.bare() : operationError);
  }

  private Optional<OperationError> overQuota(
      String metric, String zone, ToIntFunction<VmSpec> amount, int more) {
    var region = ZoneCatalog.region(zone);
    var most = cloudContext.faultControls().quota(metric, region);
    var used =
        computeMachines.values().stream()
            .filter(computeMachine -> ZoneCatalog.region(computeMachine.zone()).equals(region))
            .filter(computeMachine -> !computeMachine.instance().getStatus().equals("TERMINATED"))
            .mapToInt(
                computeMachine -> amount.applyAsInt(computeMachine.spec(cloudContext.project())))
            .sum();
    return most.isPresent() && more > 0 && used + more > most.getAsInt()
        ? Optional.of(OperationError.overQuota(metric, region, most.getAsInt()))
        : Optional.empty();
  }

  private void beginLife(ComputeMachine.Key key) {
    var life = new MachineLifecycle(key, this, cloudContext, cloudUrl);
    lives.put(key, life);
    life.begin();
  }

  private ComputeMachine put(ComputeMachine computeMachine) {
    files.put(computeMachine);
    computeMachines.put(computeMachine.key(), computeMachine);
    return computeMachine;
  }

  private ComputeMachine.Key existing(String zone, String name) {
    var key = new ComputeMachine.Key(zone, name);
    if (!computeMachines.containsKey(key)) {
      throw ResourceLinks.missing(resourceLinks.inZone(zone, "instances", name));
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
