package dev.mayfly.gcp.tpu;

import com.google.cloud.tpu.v2.DeleteNodeRequest;
import com.google.cloud.tpu.v2.Node;
import com.google.longrunning.Operation;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.gcp.ApiCalls;
import dev.mayfly.gcp.ApiOrders;
import dev.mayfly.gcp.SubmitterMetadata;
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
  private final ApiCalls calls = new ApiCalls(TpuApiError::of);
  private final ApiOrders orders = new ApiOrders(calls, "TPU", "ALREADY_EXISTS");
  private final QueuedResourceClient queuedResourceClient;

  TpuFleet(TpuSettings settings, TpuClients clients) {
    this.settings = settings;
    this.clients = clients;
    queuedResourceClient = new QueuedResourceClient(settings.project(), clients, calls);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Creating a node takes no request id: the name makes a repeat harmless.
   */
  @Override
  public Ordered order(Order order) {
    return orders.order(order, () -> create(order), () -> find(order.name()));
  }

  private Ordered create(Order order) {
    var operation = request(order);
    return ApiOrders.ordered(operation.getName(), failure(operation));
  }

  private Operation request(Order order) {
    return NodeRequests.isQueued(order.pool())
        ? clients
            .tpu()
            .createQueuedResourceCallable()
            .call(NodeRequests.createQueuedResource(order, settings))
        : clients.tpu().createNodeCallable().call(NodeRequests.createNode(order, settings));
  }

  @Override
  public Optional<String> whyNoSubmitters(PoolSpec pool) {
    return SubmitterMetadata.missing(pool, settings.metadata());
  }

  @Override
  public Optional<Progress> progress(CloudMachine.Name name, String operation) {
    return calls
        .ifFound(
            "Looking at operation " + operation + " of " + name,
            () -> clients.tpu().getOperationsClient().getOperation(operation))
        .flatMap(found -> progress(name, found));
  }

  private Optional<Progress> progress(CloudMachine.Name name, Operation operation) {
    if (!operation.getDone()) return Optional.of(new Progress.Pending());
    var ended = ApiOrders.ended(failure(operation));
    // A queued resource's operation ends once the request is in the queue.
    return ended instanceof Progress.Done && QueuedResourceClient.isOf(operation)
        ? queuedResourceClient.progress(name)
        : Optional.of(ended);
  }

  @Override
  public Optional<CloudMachine> find(CloudMachine.Name name) {
    return node(name)
        .map(NodeReader::machine)
        .or(() -> queuedResourceClient.find(name).map(NodeReader::machine));
  }

  private Optional<Node> node(CloudMachine.Name name) {
    return calls.ifFound("Looking for TPU " + name, () -> clients.tpu().getNode(path(name)));
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
    if (node.isPresent() && !ApiOrders.isOurs(NodeReader.machine(node.get()))) return false;
    if (node.isEmpty() || !node.get().getQueuedResource().isEmpty()) {
      var queued = queuedResourceClient.find(name);
      if (queued.isPresent()) {
        return ApiOrders.isOurs(NodeReader.machine(queued.get()))
            && queuedResourceClient.delete(name);
      }
    }
    return node.isPresent() && deleteNode(name);
  }

  private boolean deleteNode(CloudMachine.Name name) {
    var request = DeleteNodeRequest.newBuilder().setName(path(name)).build();
    return calls
        .ifFound("Deleting TPU " + name, () -> clients.tpu().deleteNodeCallable().call(request))
        .isPresent();
  }

  /** Nodes, and queued requests without a node, because those use a name and quota as well. */
  @Override
  public Inventory list() {
    return calls.call(
        "Listing TPUs", () -> list("projects/" + settings.project() + "/locations/-"));
  }

  private Inventory list(String parent) {
    // List the queue first, so that a request that becomes a node meanwhile is among the nodes.
    var unreachable = new LinkedHashSet<String>();
    var cloudMachines = new LinkedHashMap<CloudMachine.Name, CloudMachine>();
    var unknown = new ArrayList<String>();
    for (var queued : queuedResourceClient.list(parent, unreachable))
      add(() -> NodeReader.machine(queued), cloudMachines, unknown);
    for (var page : clients.tpu().listNodes(parent).iteratePages()) {
      unreachable.addAll(page.getResponse().getUnreachableList());
      for (var node : page.getValues()) add(() -> NodeReader.machine(node), cloudMachines, unknown);
    }
    cloudMachines.values().removeIf(cloudMachine -> !ApiOrders.isOurs(cloudMachine));
    var warnings =
        Stream.concat(unreachable.stream().map(zone -> zone + " did not answer"), unknown.stream())
            .toList();
    return new Inventory(List.copyOf(cloudMachines.values()), warnings.isEmpty(), warnings);
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

  private String path(CloudMachine.Name name) {
    return "projects/%s/locations/%s/nodes/%s"
        .formatted(settings.project(), name.zone(), name.name());
  }

  private static Optional<Refusal> failure(Operation operation) {
    return operation.getDone() && operation.hasError()
        ? Optional.of(TpuApiError.of(operation.getError()).refusal())
        : Optional.empty();
  }
}
