package dev.mayfly.gcp.tpu;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.tpu.v2.DeleteNodeRequest;
import com.google.cloud.tpu.v2.Node;
import com.google.longrunning.Operation;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Orders machines from Cloud TPU; all that it knows, it asks. */
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
   * <p>A node's create takes no request id: its name is what makes a repeat harmless.
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
   * What a named reservation pays for waits in the queue until the reservation has room for it.
   * Where none is named, the node itself says that it is reserved, and any reservation that fits
   * pays.
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
      // The operation of a queued resource ends when it is in the queue.
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
   * <p>A node of that name without Mayfly's label is somebody else's: it is left alone, and ours is
   * not there. A node that came by the queue goes with its request, or the request would keep the
   * name.
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

  /** Nodes, and the requests in the queue that have none: those keep a name and quota as well. */
  @Override
  public Inventory list() {
    var parent = "projects/" + settings.project() + "/locations/-";
    try {
      // Those in the queue first: what becomes a node meanwhile is among the nodes.
      var silent = new LinkedHashSet<String>();
      var cloudMachines = new LinkedHashMap<CloudMachine.Name, CloudMachine>();
      var unknown = new ArrayList<String>();
      for (var queued : queuedResourceClient.list(parent, silent))
        add(() -> NodeReader.machine(queued), cloudMachines, unknown);
      for (var page : clients.tpu().listNodes(parent).iteratePages()) {
        silent.addAll(page.getResponse().getUnreachableList());
        for (var node : page.getValues())
          add(() -> NodeReader.machine(node), cloudMachines, unknown);
      }
      cloudMachines.values().removeIf(cloudMachine -> !isOurs(cloudMachine));
      var warnings =
          Stream.concat(silent.stream().map(zone -> zone + " did not answer"), unknown.stream())
              .toList();
      return new Inventory(List.copyOf(cloudMachines.values()), warnings.isEmpty(), warnings);
    } catch (ApiException e) {
      throw TpuApiError.of(e).exception("Listing TPUs", e);
    }
  }

  /** One that nobody understands makes the list incomplete, and hides no other. */
  private static void add(
      Supplier<CloudMachine> read,
      Map<CloudMachine.Name, CloudMachine> cloudMachines,
      List<String> unknown) {
    try {
      var cloudMachine = read.get();
      cloudMachines.put(cloudMachine.name(), cloudMachine);
    } catch (UnavailableException strange) {
      unknown.add(strange.getMessage());
    }
  }

  private Ordered refused(Order order, TpuApiError refusal, ApiException cause) {
    if (refusal.code() == io.grpc.Status.Code.ALREADY_EXISTS) {
      return conflict(order, cause);
    }
    return refusal
        .orderRefusal()
        .<Ordered>map(Ordered.Refused::new)
        .orElseThrow(() -> refusal.exception("Ordering TPU " + order.name(), cause));
  }

  /** The name is taken: by the node that was wanted, or by another. */
  private Ordered conflict(Order order, ApiException cause) {
    var there =
        find(order.name())
            .orElseThrow(() ->
                new UnavailableException(
                    order.name() + " was taken, and then was not there", cause));
    var ours =
        List.of(CloudMachine.CLUSTER, CloudMachine.WORKER).stream()
            .allMatch(key ->
                order.labels().containsKey(key)
                    && Objects.equals(there.labels().get(key), order.labels().get(key)));
    return ours
        ? new Ordered.Exists(there)
        : new Ordered.Refused(
            new Refusal(
                Refusal.Kind.INVALID,
                "ALREADY_EXISTS",
                order.name() + " is another's TPU; choose another name"));
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
