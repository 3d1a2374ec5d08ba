package dev.mayfly.local.http;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Applies the fault controls: refuses calls, and drops replies of calls that change state. */
public final class FaultInterceptor implements ServerInterceptor {
  private final CallFaultInjector callFaultInjector;

  public FaultInterceptor(CallFaultInjector callFaultInjector) {
    this.callFaultInjector = callFaultInjector;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    var path = "/" + call.getMethodDescriptor().getFullMethodName();
    var method = path.substring(path.lastIndexOf('/') + 1);
    var mutating = !method.startsWith("Get") && !method.startsWith("List");
    var verdict = callFaultInjector.verdict(path, mutating);
    if (verdict.refusal().isEmpty())
      return next.startCall(verdict.replyLost() ? new Muted<>(call) : call, headers);
    call.close(
        Status.RESOURCE_EXHAUSTED.withDescription(
            "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'"),
        new Metadata());
    return new ServerCall.Listener<>() {};
  }

  /** Does the work but drops the reply. */
  private static final class Muted<Q, R> extends SimpleForwardingServerCall<Q, R> {
    Muted(ServerCall<Q, R> call) {
      super(call);
    }

    @Override
    public void sendMessage(R message) {
      // Dropped.
    }

    @Override
    public void sendHeaders(Metadata headers) {
      // An error has no message.
    }

    @Override
    public void close(Status status, Metadata trailers) {
      super.close(Status.UNAVAILABLE.withDescription("Connection reset"), trailers);
    }
  }
}
