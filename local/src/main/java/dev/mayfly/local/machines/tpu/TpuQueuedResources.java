package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.CreateQueuedResourceRequest;
import com.google.cloud.tpu.v2.DeleteQueuedResourceRequest;
import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.QueuedResource;
import com.google.cloud.tpu.v2.QueuedResource.Tpu.NodeSpec;
import com.google.cloud.tpu.v2.QueuedResourceState;
import com.google.cloud.tpu.v2.QueuedResourceState.FailedData;
import com.google.cloud.tpu.v2.QueuedResourceState.State;
import com.google.longrunning.Operation;
import com.google.protobuf.Empty;
import com.google.protobuf.util.Timestamps;
import dev.mayfly.local.machines.StoredValues;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Requests for nodes that wait for capacity. Stored states are ACCEPTED, WAITING_FOR_RESOURCES,
 * FAILED and, after the node was begun, PROVISIONING; the visible state then follows from the node.
 * Requests advance whenever they are read.
 */
final class TpuQueuedResources {
  private final TpuNodes nodes;
  private final InstantSource clock;
  private final StoredValues<QueuedResource> queue;

  TpuQueuedResources(TpuNodes nodes, InstantSource clock, Path folder) {
    this.nodes = nodes;
    this.clock = clock;
    this.queue =
        StoredValues.binary(
            folder, QueuedResource.getDefaultInstance(), each -> file(each.getName()));
  }

  synchronized Operation create(CreateQueuedResourceRequest request) {
    var asked = TpuValidator.check(request);
    requireReservation(asked.getReservationName());
    nodes.countCreation();
    var name = request.getParent() + "/queuedResources/" + request.getQueuedResourceId();
    if (find(name).isPresent()) throw TpuValidator.taken(name);
    var accepted =
        queue.put(
            asked.toBuilder()
                .setName(name)
                .setCreateTime(Timestamps.fromMillis(clock.millis()))
                .setState(in(State.ACCEPTED))
                .build());
    return nodes.operations().complete(TpuNodes.CREATE, name, accepted);
  }

  private void requireReservation(String name) {
    if (name.isEmpty() || nodes.limits().hasReservation(TpuNode.last(name))) return;
    throw Status.INVALID_ARGUMENT
        .withDescription(
            "Reservation '%s' does not exist; on a laptop cloud one is made by: mayfly local tpu-reservation name=%s chips=64"
                .formatted(name, TpuNode.last(name)))
        .asRuntimeException();
  }

  synchronized QueuedResource get(String name) {
    advance();
    return seen(existing(name));
  }

  synchronized List<QueuedResource> list(Predicate<String> zone) {
    advance();
    return inOrderOfArrival()
        .filter(each -> zone.test(TpuNode.zone(each.getName())))
        .map(this::seen)
        .toList();
  }

  /** A request with a node, dead or alive, is deleted only by force, together with its node. */
  synchronized Operation delete(DeleteQueuedResourceRequest request) {
    var asked = existing(request.getName());
    var node = nodes.find(node(asked));
    if (node.isPresent() && !request.getForce()) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "Queued resource '%s' is %s and has nodes; delete them first, or force it"
                  .formatted(asked.getName(), seen(asked).getState().getState()))
          .asRuntimeException();
    }
    node.ifPresent(there -> nodes.vanish(there.getName()));
    queue.remove(file(asked.getName()));
    return nodes
        .operations()
        .complete(TpuNodes.DELETE, asked.getName(), Empty.getDefaultInstance());
  }

  private void advance() {
    for (var each : inOrderOfArrival().toList())
      switch (each.getState().getState()) {
        case ACCEPTED, WAITING_FOR_RESOURCES ->
            queue.put(each.toBuilder().setState(next(each)).build());
        default -> {}
      }
  }

  private QueuedResourceState next(QueuedResource asked) {
    var name = node(asked);
    var node = spec(asked).getNode().toBuilder().setQueuedResource(asked.getName()).build();
    if (nodes.find(name).isPresent()) {
      return failed(Status.ALREADY_EXISTS.withDescription("Node '" + name + "' already exists"));
    }
    var over = nodes.overQuota(name, node).or(() -> tooLarge(asked));
    if (over.isPresent()) return failed(over.get());
    var placed = nodes.place(name, node, reservation(asked)).isPresent();
    return in(placed ? State.PROVISIONING : State.WAITING_FOR_RESOURCES);
  }

  private Optional<Status> tooLarge(QueuedResource asked) {
    var reservation = reservation(asked);
    var chips = TpuHostSpecs.tpu(spec(asked).getNode()).chips();
    if (nodes.limits().isReserved(reservation, chips)) return Optional.empty();
    return Optional.of(
        Status.FAILED_PRECONDITION.withDescription(
            "Reservation '%s' has fewer than %d chips".formatted(reservation.orElse(""), chips)));
  }

  /** The visible state, which follows from the node once it was begun. */
  private QueuedResource seen(QueuedResource stored) {
    if (stored.getState().getState() != State.PROVISIONING) return stored;
    return stored.toBuilder().setState(in(state(nodes.find(node(stored))))).build();
  }

  private static State state(Optional<Node> node) {
    return switch (node.map(Node::getState).orElse(Node.State.TERMINATED)) {
      case CREATING, STARTING -> State.PROVISIONING;
      case PREEMPTED, TERMINATED, STOPPED -> State.SUSPENDED;
      case DELETING, STOPPING -> State.SUSPENDING;
      default -> State.ACTIVE;
    };
  }

  /**
   * The named reservation, the project's unnamed one for a reserved node without a name, or none.
   */
  private static Optional<String> reservation(QueuedResource asked) {
    var name = asked.getReservationName();
    if (!name.isEmpty()) return Optional.of(TpuNode.last(name));
    var reserved = spec(asked).getNode().getSchedulingConfig().getReserved();
    return reserved ? Optional.of("") : Optional.empty();
  }

  private static String node(QueuedResource asked) {
    return spec(asked).getParent() + "/nodes/" + spec(asked).getNodeId();
  }

  private static NodeSpec spec(QueuedResource asked) {
    return asked.getTpu().getNodeSpec(0);
  }

  private static QueuedResourceState in(State state) {
    return QueuedResourceState.newBuilder().setState(state).build();
  }

  private static QueuedResourceState failed(Status why) {
    var error =
        com.google.rpc.Status.newBuilder()
            .setCode(why.getCode().value())
            .setMessage(String.valueOf(why.getDescription()));
    return QueuedResourceState.newBuilder()
        .setState(State.FAILED)
        .setFailedData(FailedData.newBuilder().setError(error))
        .build();
  }

  private Stream<QueuedResource> inOrderOfArrival() {
    return queue.list(each -> true).stream()
        .sorted((a, b) -> Timestamps.compare(a.getCreateTime(), b.getCreateTime()));
  }

  private QueuedResource existing(String name) {
    return find(name).orElseThrow(() -> TpuValidator.notFound(name));
  }

  private Optional<QueuedResource> find(String name) {
    return queue.find(file(name)).filter(each -> each.getName().equals(name));
  }

  private static String file(String name) {
    return TpuNode.zone(name) + "." + TpuNode.last(name);
  }
}
