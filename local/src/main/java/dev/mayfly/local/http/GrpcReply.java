package dev.mayfly.local.http;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a call with its result or its error. */
public final class GrpcReply {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcReply.class);

  private GrpcReply() {}

  public static <T> void to(StreamObserver<T> reply, Supplier<T> work) {
    try {
      reply.onNext(work.get());
      reply.onCompleted();
    } catch (StatusRuntimeException refused) {
      reply.onError(refused);
    } catch (RuntimeException bug) {
      LOG.error("A call has failed", bug);
      reply.onError(Status.INTERNAL.withDescription(bug.toString()).asRuntimeException());
    }
  }
}
