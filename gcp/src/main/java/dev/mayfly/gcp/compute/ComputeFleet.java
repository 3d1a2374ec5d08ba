package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.AggregatedListInstancesRequest;
import com.google.cloud.compute.v1.DeleteInstanceRequest;
import com.google.cloud.compute.v1.InsertInstanceRequest;
import com.google.cloud.compute.v1.Operation;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.gcp.ApiCalls;
import dev.mayfly.gcp.ApiOrders;
import dev.mayfly.gcp.SubmitterMetadata;
import java.util.List;
import java.util.Optional;

/** Orders machines from Compute Engine; keeps no state. */
final class ComputeFleet implements Fleet {
  private final ComputeSettings settings;
  private final ComputeClients clients;
  private final ApiCalls calls = new ApiCalls(ComputeApiError::of);
  private final ApiOrders orders = new ApiOrders(calls, "machine", "alreadyExists");
  private final ComputeLeftovers leftovers;

  ComputeFleet(ComputeSettings settings, ComputeClients clients) {
    this.settings = settings;
    this.clients = clients;
    leftovers = new ComputeLeftovers(settings.project(), clients);
  }

  @Override
  public Ordered order(Order order) {
    return orders.order(order, () -> create(order), () -> find(order.name()));
  }

  private Ordered create(Order order) {
    var request = insert(order);
    if (order.pool().machine().compact()) PlacementPolicies.ensure(order, settings, clients);
    var operation = clients.instances().insertCallable().call(request);
    return ApiOrders.ordered(
        operation.getName(),
        isDone(operation) ? ComputeErrorCodes.of(operation) : Optional.empty());
  }

  @Override
  public Optional<Progress> progress(CloudMachine.Name name, String operation) {
    return calls
        .ifFound(
            "Looking at operation " + operation + " of " + name,
            () -> clients.operations().get(settings.project(), name.zone(), operation))
        .map(found ->
            isDone(found) ? ApiOrders.ended(ComputeErrorCodes.of(found)) : new Progress.Pending());
  }

  @Override
  public Optional<CloudMachine> find(CloudMachine.Name name) {
    return calls
        .ifFound(
            "Looking for machine " + name,
            () -> clients.instances().get(settings.project(), name.zone(), name.name()))
        .map(InstanceReader::machine);
  }

  @Override
  public Optional<String> whyNoContainers(ClusterSpec cluster, PoolSpec pool) {
    return BootImage.of(pool, settings).whyNoContainers(cluster.image().isPresent());
  }

  @Override
  public Optional<String> whyNoSubmitters(PoolSpec pool) {
    return SubmitterMetadata.missing(pool, settings.metadata());
  }

  /**
   * {@inheritDoc}
   *
   * <p>A machine of that name without Mayfly's label belongs to another owner: it is kept, and
   * Mayfly's machine counts as absent.
   */
  @Override
  public boolean delete(CloudMachine.Name name) {
    if (find(name).filter(ApiOrders::isOurs).isEmpty()) return false;
    // No request id, so that a repeat is a new delete if the first one had no effect.
    var request =
        DeleteInstanceRequest.newBuilder()
            .setProject(settings.project())
            .setZone(name.zone())
            .setInstance(name.name())
            .build();
    return calls
        .ifFound(
            "Deleting machine " + name, () -> clients.instances().deleteCallable().call(request))
        .isPresent();
  }

  @Override
  public Inventory list() {
    var request =
        AggregatedListInstancesRequest.newBuilder()
            .setProject(settings.project())
            .setFilter("labels." + CloudMachine.CLUSTER + ":*")
            .setReturnPartialSuccess(true)
            .build();
    return calls.call(
        "Listing machines",
        () -> {
          var inventory = new InstanceListing();
          for (var page : clients.instances().aggregatedList(request).iteratePages())
            inventory.add(page.getResponse());
          return inventory.total();
        });
  }

  @Override
  public List<Leftover> leftovers() {
    return leftovers.list();
  }

  @Override
  public boolean delete(Leftover leftover) {
    return leftovers.delete(leftover);
  }

  private InsertInstanceRequest insert(Order order) {
    return InsertInstanceRequest.newBuilder()
        .setProject(settings.project())
        .setZone(order.name().zone())
        .setRequestId(order.requestId())
        .setInstanceResource(InstanceBuilder.build(order, settings))
        .build();
  }

  private static boolean isDone(Operation operation) {
    return operation.getStatus() == Operation.Status.DONE;
  }
}
