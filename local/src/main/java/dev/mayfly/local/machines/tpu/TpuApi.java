package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.CreateNodeRequest;
import com.google.cloud.tpu.v2.CreateQueuedResourceRequest;
import com.google.cloud.tpu.v2.DeleteNodeRequest;
import com.google.cloud.tpu.v2.DeleteQueuedResourceRequest;
import com.google.cloud.tpu.v2.GetNodeRequest;
import com.google.cloud.tpu.v2.GetQueuedResourceRequest;
import com.google.cloud.tpu.v2.ListNodesRequest;
import com.google.cloud.tpu.v2.ListNodesResponse;
import com.google.cloud.tpu.v2.ListQueuedResourcesRequest;
import com.google.cloud.tpu.v2.ListQueuedResourcesResponse;
import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.QueuedResource;
import com.google.cloud.tpu.v2.TpuGrpc;
import com.google.longrunning.Operation;
import dev.mayfly.local.http.GrpcReply;
import io.grpc.stub.StreamObserver;

/** The service {@code google.cloud.tpu.v2.Tpu}: nodes and queued resources. */
public final class TpuApi extends TpuGrpc.TpuImplBase {
  private final TpuNodes nodes;

  public TpuApi(TpuNodes nodes) {
    this.nodes = nodes;
  }

  @Override
  public void createNode(CreateNodeRequest request, StreamObserver<Operation> reply) {
    GrpcReply.to(reply, () -> nodes.create(request));
  }

  @Override
  public void getNode(GetNodeRequest request, StreamObserver<Node> reply) {
    GrpcReply.to(reply, () -> nodes.get(request.getName()));
  }

  @Override
  public void deleteNode(DeleteNodeRequest request, StreamObserver<Operation> reply) {
    GrpcReply.to(reply, () -> nodes.delete(request.getName()));
  }

  /** The location {@code -} stands for all zones. */
  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> reply) {
    GrpcReply.to(reply, () -> page(request));
  }

  private ListNodesResponse page(ListNodesRequest request) {
    var parent = request.getParent();
    var silent = nodes.takeSilentZones();
    var all = nodes.list(node -> TpuPage.includes(parent, node.zone(), silent));
    var page = TpuPage.of(all, request.getPageToken(), request.getPageSize());
    return ListNodesResponse.newBuilder()
        .addAllNodes(page.items())
        .setNextPageToken(page.next())
        .addAllUnreachable(TpuPage.unreachable(parent, silent))
        .build();
  }

  @Override
  public void createQueuedResource(
      CreateQueuedResourceRequest request, StreamObserver<Operation> reply) {
    GrpcReply.to(reply, () -> nodes.queue().create(request));
  }

  @Override
  public void getQueuedResource(
      GetQueuedResourceRequest request, StreamObserver<QueuedResource> reply) {
    GrpcReply.to(reply, () -> nodes.queue().get(request.getName()));
  }

  @Override
  public void deleteQueuedResource(
      DeleteQueuedResourceRequest request, StreamObserver<Operation> reply) {
    GrpcReply.to(reply, () -> nodes.queue().delete(request));
  }

  @Override
  public void listQueuedResources(
      ListQueuedResourcesRequest request, StreamObserver<ListQueuedResourcesResponse> reply) {
    GrpcReply.to(reply, () -> page(request));
  }

  private ListQueuedResourcesResponse page(ListQueuedResourcesRequest request) {
    var parent = request.getParent();
    var silent = nodes.takeSilentZones();
    var all = nodes.queue().list(zone -> TpuPage.includes(parent, zone, silent));
    var page = TpuPage.of(all, request.getPageToken(), request.getPageSize());
    return ListQueuedResourcesResponse.newBuilder()
        .addAllQueuedResources(page.items())
        .setNextPageToken(page.next())
        .addAllUnreachable(TpuPage.unreachable(parent, silent))
        .build();
  }
}
