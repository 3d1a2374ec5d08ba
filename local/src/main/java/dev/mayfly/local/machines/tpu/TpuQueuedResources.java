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
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.Timestamps;
import dev.mayfly.local.os.DocumentFolder;
import io.grpc.Status;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Requests for nodes that wait for capacity. Stored states are ACCEPTED, WAITING_FOR_RESOURCES,
 * FAILED and, after the node was begun, PROVISIONING; the visible state then follows from the node.
 * Requests advance whenever they are read.
 */
final class TpuQueuedResources {
  private final TpuNodes nodes;
  private final InstantSource clock;
  private final DocumentFolder folder;

  /** In order of arrival. */
  private final Map<String, QueuedResource> queue = new LinkedHashMap<>();

  TpuQueuedResources(TpuNodes nodes, InstantSource clock, DocumentFolder folder) {
    this.nodes = nodes;
    this.clock = clock;
    this.folder = folder;
    folder.read().values().stream()
        .map(TpuQueuedResources::parsed)
        .sorted((a, b) -> Timestamps.compare(a.getCreateTime(), b.getCreateTime()))
        .forEach(each -> queue.put(each.getName(), each));
  }

  synchronized Operation create(CreateQueuedResourceRequest request) {
    var asked = TpuValidator.check(request);
    nodes.countCreation();
    var name = request.getParent() + "/queuedResources/" + request.getQueuedResourceId();
    if (queue.containsKey(name)) throw TpuValidator.taken(name);
    var accepted =
        put(
            asked.toBuilder()
                .setName(name)
                .setCreateTime(Timestamps.fromMillis(clock.millis()))
                .setState(in(State.ACCEPTED))
                .build());
    var operation = nodes.operations().begin(TpuNodes.CREATE, name);
    nodes.operations().finish(TpuNodes.CREATE, name, accepted);
    return nodes.operations().find(operation.getName()).orElseThrow();
  }

  synchronized QueuedResource get(String name) {
    advance();
    return seen(existing(name));
  }

  synchronized List<QueuedResource> list(Predicate<String> zone) {
    advance();
    return queue.values().stream()
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
    var operation = nodes.operations().begin(TpuNodes.DELETE, asked.getName());
    node.ifPresent(there -> nodes.vanish(there.getName()));
    queue.remove(asked.getName());
    folder.delete(file(asked));
    nodes.operations().finish(TpuNodes.DELETE, asked.getName(), Empty.getDefaultInstance());
    return nodes.operations().find(operation.getName()).orElseThrow();
  }

  private void advance() {
    for (var each : List.copyOf(queue.values()))
      switch (each.getState().getState()) {
        case ACCEPTED, WAITING_FOR_RESOURCES -> put(each.toBuilder().setState(next(each)).build());
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

  private QueuedResource put(QueuedResource resource) {
    folder.write(file(resource), Base64.getEncoder().encodeToString(resource.toByteArray()));
    queue.put(resource.getName(), resource);
    return resource;
  }

  private QueuedResource existing(String name) {
    return Optional.ofNullable(queue.get(name)).orElseThrow(() -> TpuValidator.notFound(name));
  }

  private static String file(QueuedResource resource) {
    return TpuNode.zone(resource.getName()) + "." + TpuNode.last(resource.getName());
  }

  private static QueuedResource parsed(String text) {
    try {
      return QueuedResource.parseFrom(Base64.getDecoder().decode(text));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("A stored queued resource cannot be read", e);
    }
  }
}
