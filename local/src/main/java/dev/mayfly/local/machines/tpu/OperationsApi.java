package dev.mayfly.local.machines.tpu;

import com.google.longrunning.GetOperationRequest;
import com.google.longrunning.Operation;
import com.google.longrunning.OperationsGrpc;
import dev.mayfly.local.http.GrpcReply;
import io.grpc.stub.StreamObserver;

/** The service {@code google.longrunning.Operations}: clients read operations here. */
public final class OperationsApi extends OperationsGrpc.OperationsImplBase {
  private final TpuOperations operations;

  public OperationsApi(TpuOperations operations) {
    this.operations = operations;
  }

  @Override
  public void getOperation(GetOperationRequest request, StreamObserver<Operation> reply) {
    GrpcReply.to(
        reply,
        () ->
            operations
                .find(request.getName())
                .orElseThrow(() -> TpuValidator.notFound(request.getName())));
  }
}
