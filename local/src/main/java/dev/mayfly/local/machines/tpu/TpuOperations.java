package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.OperationMetadata;
import com.google.longrunning.Operation;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.Status;
import dev.mayfly.local.machines.StoredValues;
import io.grpc.Status.Code;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** The long-running operations of the nodes, stored across restarts. */
final class TpuOperations {
  private final StoredValues<Operation> stored;
  private final RandomGenerator random;

  TpuOperations(Path folder, RandomGenerator random) {
    this.stored =
        StoredValues.binary(
            folder, Operation.getDefaultInstance(), operation -> TpuNode.last(operation.getName()));
    this.random = random;
  }

  /** Begins an operation; its name contains the zone of its target. */
  Operation begin(String verb, String target) {
    var parent = target.substring(0, target.indexOf("/", target.indexOf("/locations/") + 11));
    return stored.put(
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

  /** Records an operation that ended at once. */
  Operation complete(String verb, String target, Message result) {
    return stored.put(
        begin(verb, target).toBuilder().setDone(true).setResponse(Any.pack(result)).build());
  }

  /** Ends the running operations of a target and a verb with a result. */
  void finish(String verb, String target, Message result) {
    end(verb, target, operation -> operation.setResponse(Any.pack(result)));
  }

  /** Ends the running operations of a target and a verb with an error. */
  void fail(String verb, String target, Code code, String message) {
    var error = Status.newBuilder().setCode(code.value()).setMessage(message);
    end(verb, target, operation -> operation.setError(error));
  }

  Optional<Operation> find(String name) {
    return stored.find(TpuNode.last(name)).filter(operation -> operation.getName().equals(name));
  }

  /** Waits until every operation is done; false at the timeout. */
  boolean settle(long seconds) throws InterruptedException {
    return stored.awaitNone(operation -> !operation.getDone(), Duration.ofSeconds(seconds));
  }

  private void end(String verb, String target, UnaryOperator<Operation.Builder> change) {
    stored.update(
        operation -> {
          var metadata = metadata(operation);
          return !operation.getDone()
              && metadata.getVerb().equals(verb)
              && metadata.getTarget().equals(target);
        },
        operation -> change.apply(operation.toBuilder().setDone(true)).build());
  }

  private static OperationMetadata metadata(Operation operation) {
    try {
      return operation.getMetadata().unpack(OperationMetadata.class);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("Operation " + operation.getName() + " has no metadata", e);
    }
  }
}
