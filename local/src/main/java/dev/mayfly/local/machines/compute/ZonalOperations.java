package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Operation;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.machines.StoredValues;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The zonal operations, running and done, and the calls that wait for them. */
final class ZonalOperations {
  /** The real service also deletes them after about two weeks. */
  private static final Duration KEPT = Duration.ofDays(14);

  private final StoredValues<Operation> stored;
  private final ResourceLinks resourceLinks;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Consumer<Operation> systemEvents;

  /**
   * @param systemEvents receives each operation that Compute itself began, such as a preemption
   */
  ZonalOperations(
      Path folder,
      ResourceLinks resourceLinks,
      InstantSource clock,
      RandomGenerator random,
      Consumer<Operation> systemEvents) {
    this.stored = StoredValues.json(folder, Operation.getDefaultInstance(), Operation::getName);
    this.resourceLinks = resourceLinks;
    this.clock = clock;
    this.random = random;
    this.systemEvents = systemEvents;
    var oldest = clock.instant().minus(KEPT);
    stored
        .list(operation -> Instant.parse(operation.getInsertTime()).isBefore(oldest))
        .forEach(operation -> stored.remove(operation.getName()));
  }

  /** Begins a client's operation. */
  Operation begin(String type, Instance target, Optional<String> requestId) {
    var operation = fresh(type, target).setUser("user@" + resourceLinks.project()).setProgress(0);
    requestId.ifPresent(operation::setClientOperationId);
    return stored.put(operation.setStatus(Operation.Status.RUNNING).build());
  }

  /** Records an operation that failed at once. */
  Operation recordFailed(
      String type, Instance target, Optional<String> requestId, OperationError operationError) {
    var operation = begin(type, target, requestId).toBuilder();
    operationError.writeTo(operation);
    return stored.put(done(operation));
  }

  /** Records Compute's own action on a machine. */
  void recordSystemEvent(String type, Instance target, String message) {
    var operation = fresh(type, target).setUser("system").setStatusMessage(message);
    systemEvents.accept(stored.put(done(operation)));
  }

  /** Ends a successful operation. */
  Operation complete(Operation operation) {
    return stored.put(done(operation.toBuilder()));
  }

  /** Ends a machine's running operations whose type {@code types} accepts. */
  void finish(Instance target, Predicate<String> types, Optional<OperationError> operationError) {
    stored.update(
        operation ->
            operation.getTargetId() == target.getId()
                && types.test(operation.getOperationType())
                && isRunning(operation),
        operation -> {
          var builder = operation.toBuilder();
          operationError.ifPresent(reason -> reason.writeTo(builder));
          return done(builder);
        });
  }

  /** The operation that an earlier call with the same request id began. */
  Optional<Operation> repeated(Optional<String> requestId) {
    return requestId.flatMap(id ->
        stored.list(operation -> operation.getClientOperationId().equals(id)).stream().findFirst());
  }

  /**
   * @throws ApiError (404) when it does not exist
   */
  Operation get(String zone, String name) {
    return stored
        .find(name)
        .filter(operation -> isIn(zone, operation))
        .orElseThrow(() -> ResourceLinks.missing(resourceLinks.inZone(zone, "operations", name)));
  }

  /** The operations of one zone. */
  List<Operation> list(String zone) {
    return stored.list(operation -> isIn(zone, operation));
  }

  /** The operation when it is done, or at the timeout. */
  Operation await(String zone, String name, Duration atMost) throws InterruptedException {
    var _ = get(zone, name);
    stored.awaitNone(operation -> operation.getName().equals(name) && isRunning(operation), atMost);
    return get(zone, name);
  }

  private static boolean isIn(String zone, Operation operation) {
    return ResourceLinks.last(operation.getZone()).equals(zone);
  }

  private static boolean isRunning(Operation operation) {
    return operation.getStatus() != Operation.Status.DONE;
  }

  private Operation.Builder fresh(String type, Instance target) {
    var now = clock.instant();
    var name = "operation-%d-%08x".formatted(now.toEpochMilli(), random.nextInt());
    var zone = ResourceLinks.last(target.getZone());
    return Operation.newBuilder()
        .setKind("compute#operation")
        .setId(random.nextLong(Long.MAX_VALUE))
        .setName(name)
        .setZone(resourceLinks.zone(zone))
        .setSelfLink(resourceLinks.operation(zone, name))
        .setOperationType(type)
        .setTargetId(target.getId())
        .setTargetLink(resourceLinks.instance(zone, target.getName()))
        .setInsertTime(now.truncatedTo(ChronoUnit.MILLIS).toString())
        .setStartTime(now.truncatedTo(ChronoUnit.MILLIS).toString());
  }

  private Operation done(Operation.Builder operation) {
    return operation
        .setStatus(Operation.Status.DONE)
        .setProgress(100)
        .setEndTime(clock.instant().truncatedTo(ChronoUnit.MILLIS).toString())
        .build();
  }
}
