package dev.mayfly.gcp;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.rpc.ClientSettings;
import com.google.api.gax.rpc.FixedHeaderProvider;
import com.google.api.gax.rpc.HeaderProvider;
import com.google.api.gax.rpc.StubSettings;
import com.google.api.gax.rpc.TransportChannelProvider;
import java.util.Map;
import java.util.Optional;

/**
 * What stands in for a service of Google's, and how Google's clients reach it: without Google's
 * credentials, and in plain text.
 *
 * @param address a URL of one that speaks HTTP, {@code host:port} of one that speaks gRPC
 * @param token what it wants to be shown; empty for one that lets everybody in
 */
public record EndpointOverride(String address, Optional<String> token) {
  /** One that lets everybody in. */
  public EndpointOverride(String address) {
    this(address, Optional.empty());
  }

  public void configureHttp(ClientSettings.Builder<?, ?> client) {
    client
        .setEndpoint(address)
        .setCredentialsProvider(NoCredentialsProvider.create())
        .setHeaderProvider(headers());
  }

  public void configureGrpc(ClientSettings.Builder<?, ?> client) {
    client
        .setCredentialsProvider(NoCredentialsProvider.create())
        .setHeaderProvider(headers())
        .setTransportChannelProvider(plain());
  }

  /** The same for a bare stub. */
  public void configureGrpc(StubSettings.Builder<?, ?> stub) {
    stub.setCredentialsProvider(NoCredentialsProvider.create())
        .setHeaderProvider(headers())
        .setTransportChannelProvider(plain());
  }

  private HeaderProvider headers() {
    return FixedHeaderProvider.create(
        token.map(it -> Map.of("authorization", "Bearer " + it)).orElse(Map.of()));
  }

  private TransportChannelProvider plain() {
    return InstantiatingGrpcChannelProvider.newBuilder()
        .setEndpoint(address)
        .setChannelConfigurator(channel -> channel.usePlaintext())
        .build();
  }

  /** The token is for nobody's log. */
  @Override
  public String toString() {
    return address;
  }
}
