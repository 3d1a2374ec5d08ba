package dev.mayfly.local.cloud.tpu;

import com.google.longrunning.GetOperationRequest;
import com.google.longrunning.Operation;
import com.google.longrunning.OperationsGrpc;
import io.grpc.stub.StreamObserver;

/** The service {@code google.longrunning.Operations}: clients look at operations here. */
final class OperationsApi extends OperationsGrpc.OperationsImplBase {
  private final TpuOperations operations;

  OperationsApi(TpuOperations operations) {
    this.operations = operations;
  }

  @Override
  public void getOperation(GetOperationRequest request, StreamObserver<Operation> reply) {
    Answer.to(
        reply,
        () ->
            operations
                .find(request.getName())
                .orElseThrow(() -> TpuRules.notFound(request.getName())));
  }
}
