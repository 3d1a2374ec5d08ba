package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.OperationMetadata;
import com.google.longrunning.Operation;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.Status;
import dev.mayfly.local.os.DocumentFolder;
import io.grpc.Status.Code;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The long-running operations of the nodes, stored across restarts. */
final class TpuOperations {
  private final DocumentFolder folder;
  private final RandomGenerator random;
  private final Map<String, Operation> byName = new HashMap<>();

  TpuOperations(DocumentFolder folder, RandomGenerator random) {
    this.folder = folder;
    this.random = random;
    folder.read().values().forEach(this::load);
  }

  /** Begins an operation; its name contains the zone of its target. */
  synchronized Operation begin(String verb, String target) {
    var parent = target.substring(0, target.indexOf("/", target.indexOf("/locations/") + 11));
    return put(
        Operation.newBuilder()
            .setName(parent + "/operations/operation-%016x".formatted(random.nextLong()))
            .setMetadata(
                Any.pack(
                    OperationMetadata.newBuilder()
                        .setTarget(target)
                        .setVerb(verb)
                        .setApiVersion("v2")
                        .build()))
            .build());
  }

  /** Ends the running operations of a target and a verb with a result. */
  synchronized void finish(String verb, String target, Message result) {
    running(verb, target)
        .forEach(running ->
            put(running.toBuilder().setDone(true).setResponse(Any.pack(result)).build()));
  }

  /** Ends the running operations of a target and a verb with an error. */
  synchronized void fail(String verb, String target, Code code, String message) {
    var error = Status.newBuilder().setCode(code.value()).setMessage(message);
    running(verb, target)
        .forEach(running -> put(running.toBuilder().setDone(true).setError(error).build()));
  }

  synchronized Optional<Operation> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Waits until every operation is done; false at the timeout. */
  synchronized boolean settle(long seconds) throws InterruptedException {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (byName.values().stream().anyMatch(operation -> !operation.getDone())) {
      var left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) return false;
      wait(left);
    }
    return true;
  }

  private List<Operation> running(String verb, String target) {
    return byName.values().stream()
        .filter(operation -> !operation.getDone())
        .filter(operation -> {
          var metadata = metadata(operation);
          return metadata.getVerb().equals(verb) && metadata.getTarget().equals(target);
        })
        .toList();
  }

  private Operation put(Operation operation) {
    folder.write(
        TpuNode.last(operation.getName()),
        Base64.getEncoder().encodeToString(operation.toByteArray()));
    byName.put(operation.getName(), operation);
    notifyAll();
    return operation;
  }

  private void load(String text) {
    try {
      var operation = Operation.parseFrom(Base64.getDecoder().decode(text));
      byName.put(operation.getName(), operation);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A stored operation of a TPU cannot be read", e);
    }
  }

  private static OperationMetadata metadata(Operation operation) {
    try {
      return operation.getMetadata().unpack(OperationMetadata.class);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("Operation " + operation.getName() + " has no metadata", e);
    }
  }
}
