package dev.mayfly.gcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.wire.proof.ServerProof;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers over gRPC get the token once they have proven that they know it. */
@Timeout(60)
class EndpointTokenTest {
  private static final String TOKEN = "mayfly-SECRETOWNERTOKEN";

  private final List<String> heard = new CopyOnWriteArrayList<>();
  private Server foreign;
  private Server own;
  private String ownAddress = "";

  @BeforeEach
  void start() throws IOException {
    foreign = server();
    own =
        server(ProofCall.service((nonce, _) -> List.of(ServerProof.of(TOKEN, ownAddress, nonce))));
    ownAddress = "127.0.0.1:" + own.getPort();
  }

  @AfterEach
  void stop() {
    foreign.shutdownNow();
    own.shutdownNow();
  }

  private Server server(io.grpc.ServerServiceDefinition... services) throws IOException {
    return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
        .addServices(List.of(services))
        .fallbackHandlerRegistry(new Listening())
        .build()
        .start();
  }

  /** Takes every other call, with its headers, and refuses it. */
  private final class Listening extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
      var method = ProofCall.ASK.toBuilder().setFullMethodName(name).build();
      return ServerMethodDefinition.create(
          method,
          (call, headers) -> {
            heard.add(name + " " + headers);
            call.close(Status.UNIMPLEMENTED, new Metadata());
            return new ServerCall.Listener<>() {};
          });
    }
  }

  /** What a call of a method of Cloud TPU ends with. */
  private static Status called(String address) {
    var channel = channel(address);
    try {
      var shown =
          ClientInterceptors.intercept(channel, new EndpointToken(address, TOKEN).interceptor());
      var method = ProofCall.ASK.toBuilder().setFullMethodName("google.Tpu/List").build();
      ClientCalls.blockingUnaryCall(shown, method, CallOptions.DEFAULT, "SECRET");
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    } finally {
      channel.shutdownNow();
    }
  }

  private static ManagedChannel channel(String address) {
    return Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
  }

  @Test
  void anotherProgramGetsTheQuestionOnly() {
    var status = called("127.0.0.1:" + foreign.getPort());

    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription()).contains("another program answers at");
    assertThat(heard)
        .isNotEmpty()
        .allSatisfy(
            call -> assertThat(call).startsWith("mayfly.ServerProof/Ask").doesNotContain("SECRET"));
  }

  @Test
  void ownServerGetsTheToken() {
    assertThat(called(ownAddress).getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);

    assertThat(heard).singleElement().asString().contains("google.Tpu/List", "Bearer " + TOKEN);
  }

  @Test
  void tokensOfOthersAreShownAtOnce() throws Exception {
    var other = new EndpointToken("http://127.0.0.1:1", "ya29.of-google");

    assertThat(other.credentials().getRequestMetadata(URI.create("http://x")))
        .containsEntry("authorization", List.of("Bearer ya29.of-google"));
    assertThatThrownBy(() ->
            new EndpointToken("http://127.0.0.1:1", TOKEN)
                .credentials()
                .getRequestMetadata(URI.create("http://x")))
        .isInstanceOf(ConnectException.class);
    assertThat(other.toString()).doesNotContain("ya29");
  }
}
