package dev.mayfly.gcp.tpu;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.tpu.v2.DeleteNodeRequest;
import com.google.cloud.tpu.v2.ListNodesRequest;
import com.google.longrunning.Operation;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Machine;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Orders machines from Cloud TPU; all that it knows, it asks. */
final class TpuFleet implements Fleet {
  private final TpuSettings settings;
  private final TpuClients clients;

  TpuFleet(TpuSettings settings, TpuClients clients) {
    this.settings = settings;
    this.clients = clients;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A node's create takes no request id: its name is what makes a repeat harmless.
   */
  @Override
  public Ordered order(Order order) {
    try {
      var operation = clients.tpu().createNodeCallable().call(NodeOrder.of(order, settings));
      return failure(operation)
          .<Ordered>map(Ordered.Refused::new)
          .orElseGet(() -> new Ordered.Accepted(operation.getName()));
    } catch (IllegalArgumentException e) {
      return new Ordered.Refused(
          new Refusal(Refusal.Kind.INVALID, "invalid", String.valueOf(e.getMessage())));
    } catch (ApiException e) {
      return refused(order, TpuRefusal.of(e), e);
    }
  }

  @Override
  public Optional<Progress> progress(Machine.Name name, String operation) {
    try {
      var found = clients.tpu().getOperationsClient().getOperation(operation);
      return Optional.of(found.getDone() ? ended(found) : new Progress.Pending());
    } catch (ApiException e) {
      return emptyIfNotFound(e, "Looking at operation " + operation + " of " + name);
    }
  }

  @Override
  public Optional<Machine> find(Machine.Name name) {
    try {
      return Optional.of(Nodes.machine(clients.tpu().getNode(node(name))));
    } catch (ApiException e) {
      return emptyIfNotFound(e, "Looking for TPU " + name);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A node of that name without Mayfly's label is somebody else's: it is left alone, and ours is
   * not there.
   */
  @Override
  public boolean delete(Machine.Name name) {
    if (find(name).filter(found -> found.labels().containsKey(Machine.CLUSTER)).isEmpty()) {
      return false;
    }
    try {
      clients
          .tpu()
          .deleteNodeCallable()
          .call(DeleteNodeRequest.newBuilder().setName(node(name)).build());
      return true;
    } catch (ApiException e) {
      var refusal = TpuRefusal.of(e);
      if (refusal.isNotFound()) {
        return false;
      }
      throw refusal.exception("Deleting TPU " + name, e);
    }
  }

  @Override
  public Inventory list() {
    var request =
        ListNodesRequest.newBuilder()
            .setParent("projects/" + settings.project() + "/locations/-")
            .build();
    try {
      var machines = new ArrayList<Machine>();
      var silent = new LinkedHashSet<String>();
      for (var page : clients.tpu().listNodes(request).iteratePages()) {
        silent.addAll(page.getResponse().getUnreachableList());
        page.getValues().forEach(node -> machines.add(Nodes.machine(node)));
      }
      machines.removeIf(machine -> !machine.labels().containsKey(Machine.CLUSTER));
      var warnings = silent.stream().map(zone -> zone + " did not answer").toList();
      return new Inventory(machines, warnings.isEmpty(), warnings);
    } catch (ApiException e) {
      throw TpuRefusal.of(e).exception("Listing TPUs", e);
    }
  }

  private Ordered refused(Order order, TpuRefusal refusal, ApiException cause) {
    if (refusal.code() == io.grpc.Status.Code.ALREADY_EXISTS) {
      return conflict(order, cause);
    }
    return refusal
        .ordered()
        .<Ordered>map(Ordered.Refused::new)
        .orElseThrow(() -> refusal.exception("Ordering TPU " + order.name(), cause));
  }

  /** The name is taken: by the node that was wanted, or by another. */
  private Ordered conflict(Order order, ApiException cause) {
    var there =
        find(order.name())
            .orElseThrow(
                () -> new Unavailable(order.name() + " was taken, and then was not there", cause));
    var ours =
        List.of(Machine.CLUSTER, Machine.WORKER).stream()
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

  private String node(Machine.Name name) {
    return "projects/%s/locations/%s/nodes/%s"
        .formatted(settings.project(), name.zone(), name.name());
  }

  private static Progress ended(Operation operation) {
    return failure(operation).<Progress>map(Progress.Failed::new).orElseGet(Progress.Done::new);
  }

  private static Optional<Refusal> failure(Operation operation) {
    return operation.getDone() && operation.hasError()
        ? Optional.of(TpuRefusal.of(operation.getError()).refusal())
        : Optional.empty();
  }

  private static <T> Optional<T> emptyIfNotFound(ApiException failure, String what) {
    var refusal = TpuRefusal.of(failure);
    if (refusal.isNotFound()) {
      return Optional.empty();
    }
    throw refusal.exception(what, failure);
  }
}
