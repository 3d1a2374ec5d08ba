package dev.mayfly.gcp.compute;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.compute.v1.AggregatedListInstancesRequest;
import com.google.cloud.compute.v1.DeleteInstanceRequest;
import com.google.cloud.compute.v1.InsertInstanceRequest;
import com.google.cloud.compute.v1.Operation;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.gcp.NameConflict;
import java.util.List;
import java.util.Optional;

/** Orders machines from Compute Engine; keeps no state. */
final class ComputeFleet implements Fleet {
  private final ComputeSettings settings;
  private final ComputeClients clients;
  private final ComputeLeftovers leftovers;

  ComputeFleet(ComputeSettings settings, ComputeClients clients) {
    this.settings = settings;
    this.clients = clients;
    leftovers = new ComputeLeftovers(settings.project(), clients);
  }

  @Override
  public Ordered order(Order order) {
    try {
      var request = insert(order);
      if (order.pool().machine().compact()) {
        PlacementPolicies.ensure(order, settings, clients);
      }
      var operation = clients.instances().insertCallable().call(request);
      var refusal = isDone(operation) ? ComputeErrorCodes.of(operation) : Optional.<Refusal>empty();
      return refusal
          .<Ordered>map(Ordered.Refused::new)
          .orElseGet(() -> new Ordered.Accepted(operation.getName()));
    } catch (IllegalArgumentException e) {
      return new Ordered.Refused(
          new Refusal(Refusal.Kind.INVALID, "invalid", String.valueOf(e.getMessage())));
    } catch (ApiException e) {
      return refused(order, ComputeApiError.of(e), e);
    }
  }

  @Override
  public Optional<Progress> progress(CloudMachine.Name name, String operation) {
    try {
      var found = clients.operations().get(settings.project(), name.zone(), operation);
      return Optional.of(isDone(found) ? ended(found) : new Progress.Pending());
    } catch (ApiException e) {
      return emptyIfNotFound(e, "Looking at operation " + operation + " of " + name);
    }
  }

  @Override
  public Optional<CloudMachine> find(CloudMachine.Name name) {
    try {
      return Optional.of(
          InstanceReader.machine(
              clients.instances().get(settings.project(), name.zone(), name.name())));
    } catch (ApiException e) {
      return emptyIfNotFound(e, "Looking for machine " + name);
    }
  }

  @Override
  public Optional<String> withoutContainers(PoolSpec pool) {
    return BootImage.of(pool, settings).withoutContainers();
  }

  /**
   * {@inheritDoc}
   *
   * <p>A machine of that name without Mayfly's label belongs to another owner: it is kept, and
   * Mayfly's machine counts as absent.
   */
  @Override
  public boolean delete(CloudMachine.Name name) {
    if (find(name).filter(found -> found.labels().containsKey(CloudMachine.CLUSTER)).isEmpty()) {
      return false;
    }
    try {
      // No request id, so that a repeat is a new delete if the first one had no effect.
      clients
          .instances()
          .deleteCallable()
          .call(
              DeleteInstanceRequest.newBuilder()
                  .setProject(settings.project())
                  .setZone(name.zone())
                  .setInstance(name.name())
                  .build());
      return true;
    } catch (ApiException e) {
      var refusal = ComputeApiError.of(e);
      if (refusal.isNotFound()) {
        return false;
      }
      throw refusal.exception("Deleting machine " + name, e);
    }
  }

  @Override
  public Inventory list() {
    var request =
        AggregatedListInstancesRequest.newBuilder()
            .setProject(settings.project())
            .setFilter("labels." + CloudMachine.CLUSTER + ":*")
            .setReturnPartialSuccess(true)
            .build();
    try {
      var inventory = new InstanceListing();
      for (var page : clients.instances().aggregatedList(request).iteratePages()) {
        inventory.add(page.getResponse());
      }
      return inventory.total();
    } catch (ApiException e) {
      throw ComputeApiError.of(e).exception("Listing machines", e);
    }
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

  private Ordered refused(Order order, ComputeApiError refusal, ApiException cause) {
    if (refusal.isConflict()) {
      return NameConflict.resolve(order, find(order.name()), "alreadyExists", "machine", cause);
    }
    return refusal
        .orderRefusal()
        .<Ordered>map(Ordered.Refused::new)
        .orElseThrow(() -> refusal.exception("Ordering machine " + order.name(), cause));
  }

  private static Progress ended(Operation operation) {
    return ComputeErrorCodes.of(operation)
        .<Progress>map(Progress.Failed::new)
        .orElseGet(Progress.Done::new);
  }

  private static boolean isDone(Operation operation) {
    return operation.getStatus() == Operation.Status.DONE;
  }

  private static <T> Optional<T> emptyIfNotFound(ApiException failure, String what) {
    var refusal = ComputeApiError.of(failure);
    if (refusal.isNotFound()) {
      return Optional.empty();
    }
    throw refusal.exception(what, failure);
  }
}
