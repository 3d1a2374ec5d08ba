package dev.mayfly.gcp.tpu;

import com.google.api.gax.rpc.ApiException;
import com.google.cloud.tpu.v2.DeleteQueuedResourceRequest;
import com.google.cloud.tpu.v2.OperationMetadata;
import com.google.cloud.tpu.v2.QueuedResource;
import com.google.longrunning.Operation;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.gcp.ApiCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Cloud TPU's queued resources: each requests one node and has its name. */
final class QueuedResourceClient {
  private final String project;
  private final TpuClients clients;
  private final ApiCalls calls;

  QueuedResourceClient(String project, TpuClients clients, ApiCalls calls) {
    this.project = project;
    this.clients = clients;
    this.calls = calls;
  }

  /** Whether an operation belongs to a queued resource. */
  static boolean isOf(Operation operation) {
    try {
      return operation.getMetadata().is(OperationMetadata.class)
          && operation
              .getMetadata()
              .unpack(OperationMetadata.class)
              .getTarget()
              .contains("/queuedResources/");
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }

  Optional<QueuedResource> find(CloudMachine.Name name) {
    return calls.ifFound(
        "Looking for queued resource " + name, () -> clients.tpu().getQueuedResource(path(name)));
  }

  /** The progress of a request; empty if it does not exist. */
  Optional<Progress> progress(CloudMachine.Name name) {
    return find(name)
        .map(queued ->
            switch (queued.getState().getState()) {
              case FAILED -> new Progress.Failed(why(queued).refusal());
              case CREATING, ACCEPTED, WAITING_FOR_RESOURCES ->
                  new Progress.Queued(queued.getState().getState().name());
              case ACTIVE, SUSPENDING, SUSPENDED, DELETING -> new Progress.Done();
              default -> new Progress.Pending();
            });
  }

  private static TpuApiError why(QueuedResource queued) {
    var state = queued.getState();
    var error = TpuApiError.of(state.getFailedData().getError());
    return error.message().isEmpty()
        ? new TpuApiError(error.code(), "the queued resource failed without a reason")
        : error;
  }

  /** Deletes the request together with its node, if any; false if it does not exist. */
  boolean delete(CloudMachine.Name name) {
    var request =
        DeleteQueuedResourceRequest.newBuilder().setName(path(name)).setForce(true).build();
    return calls
        .ifFound(
            "Deleting queued resource " + name,
            () -> clients.tpu().deleteQueuedResourceCallable().call(request))
        .isPresent();
  }

  /** All of the project's requests. Throws {@link ApiException}. */
  List<QueuedResource> list(String parent, Set<String> unreachable) {
    var all = new ArrayList<QueuedResource>();
    for (var page : clients.tpu().listQueuedResources(parent).iteratePages()) {
      unreachable.addAll(page.getResponse().getUnreachableList());
      page.getValues().forEach(all::add);
    }
    return all;
  }

  private String path(CloudMachine.Name name) {
    return "projects/" + project + "/locations/" + name.zone() + "/queuedResources/" + name.name();
  }
}
