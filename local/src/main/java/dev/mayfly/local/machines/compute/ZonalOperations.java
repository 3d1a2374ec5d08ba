package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Operation;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.os.DocumentFolder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The zonal operations, running and done, and the calls that wait for them. */
final class ZonalOperations {
  /** The real service also deletes them after about two weeks. */
  private static final Duration KEPT = Duration.ofDays(14);

  private final DocumentFolder folder;
  private final ResourceLinks resourceLinks;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Consumer<Operation> systemEvents;
  private final Map<String, Operation> byName = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  /**
   * @param systemEvents receives each operation that Compute itself began, such as a preemption
   */
  ZonalOperations(
      DocumentFolder folder,
      ResourceLinks resourceLinks,
      InstantSource clock,
      RandomGenerator random,
      Consumer<Operation> systemEvents) {
    this.folder = folder;
    this.resourceLinks = resourceLinks;
    this.clock = clock;
    this.random = random;
    this.systemEvents = systemEvents;
    folder.read().values().forEach(this::load);
  }

  /** Begins a client's operation. */
  Operation begin(String type, Instance target, Optional<String> requestId) {
    var operation = fresh(type, target).setUser("user@" + resourceLinks.project()).setProgress(0);
    requestId.ifPresent(operation::setClientOperationId);
    return put(operation.setStatus(Operation.Status.RUNNING).build());
  }

  /** Records an operation that failed at once. */
  Operation recordFailed(
      String type, Instance target, Optional<String> requestId, OperationError operationError) {
    var operation = begin(type, target, requestId).toBuilder();
    operationError.writeTo(operation);
    return put(done(operation));
  }

  /** Records Compute's own action on a machine. */
  void recordSystemEvent(String type, Instance target, String message) {
    var operation = fresh(type, target).setUser("system").setStatusMessage(message);
    systemEvents.accept(put(done(operation)));
  }

  /** Ends a successful operation. */
  Operation complete(Operation operation) {
    return put(done(operation.toBuilder()));
  }

  /** Ends a machine's running operations whose type {@code types} accepts. */
  void finish(Instance target, Predicate<String> types, Optional<OperationError> operationError) {
    lock.lock();
    try {
      for (var operation : List.copyOf(byName.values())) {
        if (operation.getTargetId() == target.getId()
            && types.test(operation.getOperationType())
            && operation.getStatus() != Operation.Status.DONE) {
          var builder = operation.toBuilder();
          operationError.ifPresent(reason -> reason.writeTo(builder));
          put(done(builder));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The operation that an earlier call with the same request id began. */
  Optional<Operation> repeated(Optional<String> requestId) {
    lock.lock();
    try {
      return requestId.flatMap(id ->
          byName.values().stream()
              .filter(operation -> operation.getClientOperationId().equals(id))
              .findFirst());
    } finally {
      lock.unlock();
    }
  }

  /**
   * @throws ApiError (404) when it does not exist
   */
  Operation get(String zone, String name) {
    lock.lock();
    try {
      return Optional.ofNullable(byName.get(name))
          .filter(operation -> ResourceLinks.last(operation.getZone()).equals(zone))
          .orElseThrow(() -> ResourceLinks.missing(resourceLinks.inZone(zone, "operations", name)));
    } finally {
      lock.unlock();
    }
  }

  /** The operations of one zone, unordered. */
  List<Operation> list(String zone) {
    lock.lock();
    try {
      var found = new ArrayList<>(byName.values());
      found.removeIf(operation -> !ResourceLinks.last(operation.getZone()).equals(zone));
      return found;
    } finally {
      lock.unlock();
    }
  }

  /** The operation when it is done, or at the timeout. */
  Operation await(String zone, String name, Duration atMost) throws InterruptedException {
    var left = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (left > 0 && get(zone, name).getStatus() != Operation.Status.DONE) {
        left = ended.awaitNanos(left);
      }
      return get(zone, name);
    } finally {
      lock.unlock();
    }
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

  private Operation put(Operation operation) {
    lock.lock();
    try {
      folder.write(operation.getName(), ProtoJson.print(operation));
      byName.put(operation.getName(), operation);
      ended.signalAll();
      return operation;
    } finally {
      lock.unlock();
    }
  }

  private void load(String json) {
    try {
      var operation = ProtoJson.parse(json, Operation.newBuilder()).build();
      if (Instant.parse(operation.getInsertTime()).isBefore(clock.instant().minus(KEPT))) {
        folder.delete(operation.getName());
      } else {
        byName.put(operation.getName(), operation);
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A stored operation cannot be read: " + json, e);
    }
  }
}
