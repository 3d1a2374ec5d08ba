package dev.mayfly.gcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.wire.proof.ProvenServers;
import dev.mayfly.wire.proof.ServerProof;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The question of {@link ServerProof} over gRPC: a line with the nonce and one with the holder; the
 * answer has a proof a line.
 */
public final class ProofCall {
  private static final String SERVICE = "mayfly.ServerProof";
  private static final int SECONDS = 15;
  private static final int LARGEST = 10_000;

  /** The method, which needs no credentials. */
  public static final MethodDescriptor<String, String> ASK =
      MethodDescriptor.<String, String>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Ask"))
          .setRequestMarshaller(new Text())
          .setResponseMarshaller(new Text())
          .build();

  private ProofCall() {}

  private static final class Text implements Marshaller<String> {
    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readNBytes(LARGEST), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Serves the method. */
  public static ServerServiceDefinition service(ProvenServers.Asking asking) {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            ASK,
            ServerCalls.<String, String>asyncUnaryCall((question, answer) -> {
              var lines = question.split("\n", -1);
              if (lines.length != 2 || !ServerProof.isQuestion(lines[0], lines[1])) {
                answer.onError(Status.INVALID_ARGUMENT.asRuntimeException());
                return;
              }
              try {
                answer.onNext(String.join("\n", asking.proofs(lines[0], lines[1])));
                answer.onCompleted();
              } catch (IOException e) {
                answer.onError(Status.UNAVAILABLE.withCause(e).asRuntimeException());
              }
            }))
        .build();
  }

  /** Asks the server behind a channel; another program has no proof. */
  static ProvenServers.Asking through(Channel channel) {
    return (nonce, holder) -> {
      var options = CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
      try {
        var answer = ClientCalls.blockingUnaryCall(channel, ASK, options, nonce + "\n" + holder);
        return List.of(answer.split("\n"));
      } catch (StatusRuntimeException e) {
        var code = e.getStatus().getCode();
        if (code == Status.Code.UNAVAILABLE || code == Status.Code.DEADLINE_EXCEEDED)
          throw new IOException(e.getMessage(), e);
        return List.of();
      }
    };
  }
}
