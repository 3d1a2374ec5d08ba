package dev.mayfly.local.access;

import dev.mayfly.gcp.ProofCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Admits calls with the owner's token. Browsers cannot send gRPC calls, so the token suffices. */
public final class OwnerTokenInterceptor implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final OwnerToken owner;

  public OwnerTokenInterceptor(OwnerToken owner) {
    this.owner = owner;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    // Before a client sends its token, it asks for a proof.
    if (call.getMethodDescriptor().getFullMethodName().equals(ProofCall.ASK.getFullMethodName())
        || owner.matches(OwnerToken.bearer(headers.get(AUTHORIZATION))))
      return next.startCall(call, headers);
    call.close(
        Status.UNAUTHENTICATED.withDescription(
            "the laptop cloud is its owner's: send what is in $MAYFLY_HOME/cloud/token"),
        new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
