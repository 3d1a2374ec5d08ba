package dev.mayfly.gcp;

import com.google.api.gax.core.CredentialsProvider;
import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.rpc.ClientSettings;
import com.google.api.gax.rpc.StubSettings;
import com.google.api.gax.rpc.TransportChannelProvider;
import java.util.Optional;

/**
 * The replacement of a Google service, and how Google's clients reach it: without Google's
 * credentials and in plain text.
 *
 * @param address a URL for HTTP, {@code host:port} for gRPC
 * @param token sent with each call; empty if the endpoint needs none
 */
public record EndpointOverride(String address, Optional<String> token) {
  /** An endpoint without a token. */
  public EndpointOverride(String address) {
    this(address, Optional.empty());
  }

  public void configureHttp(ClientSettings.Builder<?, ?> client) {
    client.setEndpoint(address).setCredentialsProvider(credentials());
  }

  public void configureGrpc(ClientSettings.Builder<?, ?> client) {
    client
        .setCredentialsProvider(NoCredentialsProvider.create())
        .setTransportChannelProvider(plain());
  }

  /** As above, for a bare stub. */
  public void configureGrpc(StubSettings.Builder<?, ?> stub) {
    stub.setCredentialsProvider(NoCredentialsProvider.create())
        .setTransportChannelProvider(plain());
  }

  private CredentialsProvider credentials() {
    return shown()
        .<CredentialsProvider>map(it -> FixedCredentialsProvider.create(it.credentials()))
        .orElseGet(NoCredentialsProvider::create);
  }

  private Optional<EndpointToken> shown() {
    return token.map(it -> new EndpointToken(address, it));
  }

  private TransportChannelProvider plain() {
    return InstantiatingGrpcChannelProvider.newBuilder()
        .setEndpoint(address)
        .setChannelConfigurator(channel -> channel.usePlaintext())
        .setInterceptorProvider(() -> shown().stream().map(EndpointToken::interceptor).toList())
        .build();
  }

  /** Omits the token, which must not be logged. */
  @Override
  public String toString() {
    return address;
  }
}
