package dev.mayfly.local.cloud.tpu;

import com.google.cloud.tpu.v2.CreateNodeRequest;
import com.google.cloud.tpu.v2.DeleteNodeRequest;
import com.google.cloud.tpu.v2.GetNodeRequest;
import com.google.cloud.tpu.v2.ListNodesRequest;
import com.google.cloud.tpu.v2.ListNodesResponse;
import com.google.cloud.tpu.v2.Node;
import com.google.cloud.tpu.v2.TpuGrpc;
import com.google.longrunning.Operation;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/** The service {@code google.cloud.tpu.v2.Tpu}: nodes. */
final class TpuApi extends TpuGrpc.TpuImplBase {
  private final TpuNodes nodes;

  TpuApi(TpuNodes nodes) {
    this.nodes = nodes;
  }

  @Override
  public void createNode(CreateNodeRequest request, StreamObserver<Operation> reply) {
    Answer.to(reply, () -> nodes.create(request));
  }

  @Override
  public void getNode(GetNodeRequest request, StreamObserver<Node> reply) {
    Answer.to(reply, () -> nodes.get(request.getName()));
  }

  @Override
  public void deleteNode(DeleteNodeRequest request, StreamObserver<Operation> reply) {
    Answer.to(reply, () -> nodes.delete(request.getName()));
  }

  /** The location {@code -} stands for all zones. */
  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> reply) {
    Answer.to(reply, () -> page(request));
  }

  private ListNodesResponse page(ListNodesRequest request) {
    var zone = TpuNode.last(request.getParent());
    var silent = nodes.takeSilentZones();
    var all =
        nodes.list(node ->
            (zone.equals("-") || node.zone().equals(zone)) && !silent.contains(node.zone()));
    var from = request.getPageToken().isEmpty() ? 0 : start(request.getPageToken());
    var most = request.getPageSize() == 0 ? 1000 : request.getPageSize();
    var to = Math.min(all.size(), from + most);
    var page = ListNodesResponse.newBuilder().addAllNodes(all.subList(Math.min(from, to), to));
    if (to < all.size()) page.setNextPageToken(Integer.toString(to));
    var project = request.getParent().substring(0, request.getParent().lastIndexOf('/') + 1);
    silent.forEach(each -> page.addUnreachable(project + each));
    return page.build();
  }

  private static int start(String token) {
    if (token.matches("[0-9]{1,9}")) return Integer.parseInt(token);
    throw Status.INVALID_ARGUMENT
        .withDescription("The page token '" + token + "' is not one of ours")
        .asRuntimeException();
  }
}
