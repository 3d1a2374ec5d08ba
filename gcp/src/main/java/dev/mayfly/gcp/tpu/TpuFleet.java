package dev.mayfly.gcp.tpu;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.tpu.v2.DeleteNodeRequest;
import com.google.cloud.tpu.v2.Node;
import com.google.longrunning.Operation;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.gcp.NameConflict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Orders machines from Cloud TPU; keeps no state. */
final class TpuFleet implements Fleet {
  private final TpuSettings settings;
  private final TpuClients clients;
  private final QueuedResourceClient queuedResourceClient;

  TpuFleet(TpuSettings settings, TpuClients clients) {
    this.settings = settings;
    this.clients = clients;
    this.queuedResourceClient = new QueuedResourceClient(settings.project(), clients);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Creating a node takes no request id: the name makes a repeat harmless.
   */
  @Override
  public Ordered order(Order order) {
    try {
      var operation = ordered(order);
      return failure(operation)
          .<Ordered>map(Ordered.Refused::new)
          .orElseGet(() -> new Ordered.Accepted(operation.getName()));
    } catch (IllegalArgumentException e) {
      return new Ordered.Refused(
          new Refusal(Refusal.Kind.INVALID, "invalid", String.valueOf(e.getMessage())));
    } catch (ApiException e) {
      return refused(order, TpuApiError.of(e), e);
    }
  }

  /**
   * A machine from a named reservation waits in the queue until the reservation has room. Without a
   * name, the node itself is marked as reserved and uses any reservation that fits.
   */
  private Operation ordered(Order order) {
    return order.pool().provisioning() == Provisioning.RESERVED
            && order.pool().machine().reservation().isPresent()
        ? clients
            .tpu()
            .createQueuedResourceCallable()
            .call(NodeRequests.createQueuedResource(order, settings))
        : clients.tpu().createNodeCallable().call(NodeRequests.createNode(order, settings));
  }

  @Override
  public Optional<Progress> progress(CloudMachine.Name name, String operation) {
    try {
      var found = clients.tpu().getOperationsClient().getOperation(operation);
      if (!found.getDone()) return Optional.of(new Progress.Pending());
      // A queued resource's operation ends once the request is in the queue.
      var ended = ended(found);
      return ended instanceof Progress.Done && QueuedResourceClient.isOf(found)
          ? queuedResourceClient.progress(name)
          : Optional.of(ended);
    } catch (ApiException e) {
      return emptyIfNotFound(e, "Looking at operation " + operation + " of " + name);
    }
  }

  @Override
  public Optional<CloudMachine> find(CloudMachine.Name name) {
    return node(name)
        .map(NodeReader::machine)
        .or(() -> queuedResourceClient.find(name).map(NodeReader::machine));
  }

  private Optional<Node> node(CloudMachine.Name name) {
    try {
      return Optional.of(clients.tpu().getNode(path(name)));
    } catch (ApiException e) {
      return emptyIfNotFound(e, "Looking for TPU " + name);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A node of that name without Mayfly's label belongs to another owner: it is kept, and
   * Mayfly's node counts as absent. A queued node is deleted with its request, which would
   * otherwise keep the name.
   */
  @Override
  public boolean delete(CloudMachine.Name name) {
    var node = node(name);
    if (node.isPresent() && !isOurs(NodeReader.machine(node.get()))) return false;
    if (node.isEmpty() || !node.get().getQueuedResource().isEmpty()) {
      var queued = queuedResourceClient.find(name);
      if (queued.isPresent()) {
        return isOurs(NodeReader.machine(queued.get())) && queuedResourceClient.delete(name);
      }
    }
    return node.isPresent() && deleteNode(name);
  }

  private boolean deleteNode(CloudMachine.Name name) {
    try {
      clients
          .tpu()
          .deleteNodeCallable()
          .call(DeleteNodeRequest.newBuilder().setName(path(name)).build());
      return true;
    } catch (ApiException e) {
      var refusal = TpuApiError.of(e);
      if (refusal.isNotFound()) {
        return false;
      }
      throw refusal.exception("Deleting TPU " + name, e);
    }
  }

  private static boolean isOurs(CloudMachine cloudMachine) {
    return cloudMachine.labels().containsKey(CloudMachine.CLUSTER);
  }

  /** Nodes, and queued requests without a node, because those use a name and quota as well. */
  @Override
  public Inventory list() {
    var parent = "projects/" + settings.project() + "/locations/-";
    try {
      // List the queue first, so that a request that becomes a node meanwhile is among the nodes.
      var unreachable = new LinkedHashSet<String>();
      var cloudMachines = new LinkedHashMap<CloudMachine.Name, CloudMachine>();
      var unknown = new ArrayList<String>();
      for (var queued : queuedResourceClient.list(parent, unreachable))
        add(() -> NodeReader.machine(queued), cloudMachines, unknown);
      for (var page : clients.tpu().listNodes(parent).iteratePages()) {
        unreachable.addAll(page.getResponse().getUnreachableList());
        for (var node : page.getValues())
          add(() -> NodeReader.machine(node), cloudMachines, unknown);
      }
      cloudMachines.values().removeIf(cloudMachine -> !isOurs(cloudMachine));
      var warnings =
          Stream.concat(
                  unreachable.stream().map(zone -> zone + " did not answer"), unknown.stream())
              .toList();
      return new Inventory(List.copyOf(cloudMachines.values()), warnings.isEmpty(), warnings);
    } catch (ApiException e) {
      throw TpuApiError.of(e).exception("Listing TPUs", e);
    }
  }

  /** A node that cannot be interpreted makes the list incomplete, but hides no others. */
  private static void add(
      Supplier<CloudMachine> read,
      Map<CloudMachine.Name, CloudMachine> cloudMachines,
      List<String> unknown) {
    try {
      var cloudMachine = read.get();
      cloudMachines.put(cloudMachine.name(), cloudMachine);
    } catch (UnavailableException unreadable) {
      unknown.add(unreadable.getMessage());
    }
  }

  private Ordered refused(Order order, TpuApiError refusal, ApiException cause) {
    if (refusal.code() == io.grpc.Status.Code.ALREADY_EXISTS) {
      return NameConflict.resolve(order, find(order.name()), "ALREADY_EXISTS", "TPU", cause);
    }
    return refusal
        .orderRefusal()
        .<Ordered>map(Ordered.Refused::new)
        .orElseThrow(() -> refusal.exception("Ordering TPU " + order.name(), cause));
  }

  private String path(CloudMachine.Name name) {
    return "projects/%s/locations/%s/nodes/%s"
        .formatted(settings.project(), name.zone(), name.name());
  }

  private static Progress ended(Operation operation) {
    return failure(operation).<Progress>map(Progress.Failed::new).orElseGet(Progress.Done::new);
  }

  private static Optional<Refusal> failure(Operation operation) {
    return operation.getDone() && operation.hasError()
        ? Optional.of(TpuApiError.of(operation.getError()).refusal())
        : Optional.empty();
  }

  private static <T> Optional<T> emptyIfNotFound(ApiException failure, String what) {
    var refusal = TpuApiError.of(failure);
    if (refusal.isNotFound()) {
      return Optional.empty();
    }
    throw refusal.exception(what, failure);
  }
}
