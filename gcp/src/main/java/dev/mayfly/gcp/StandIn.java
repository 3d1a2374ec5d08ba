package dev.mayfly.gcp;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.rpc.ClientSettings;
import com.google.api.gax.rpc.StubSettings;
import com.google.api.gax.rpc.TransportChannelProvider;

/** How Google's clients reach what stands in for a service of Google's: without credentials. */
public final class StandIn {
  private StandIn() {}

  /**
   * @param url of a service that speaks HTTP
   */
  public static void http(ClientSettings.Builder<?, ?> client, String url) {
    client.setEndpoint(url).setCredentialsProvider(NoCredentialsProvider.create());
  }

  /**
   * @param hostAndPort of a service that speaks gRPC in plain text
   */
  public static void grpc(ClientSettings.Builder<?, ?> client, String hostAndPort) {
    client
        .setCredentialsProvider(NoCredentialsProvider.create())
        .setTransportChannelProvider(plain(hostAndPort));
  }

  /** The same for a bare stub. */
  public static void grpc(StubSettings.Builder<?, ?> stub, String hostAndPort) {
    stub.setCredentialsProvider(NoCredentialsProvider.create())
        .setTransportChannelProvider(plain(hostAndPort));
  }

  private static TransportChannelProvider plain(String hostAndPort) {
    return InstantiatingGrpcChannelProvider.newBuilder()
        .setEndpoint(hostAndPort)
        .setChannelConfigurator(channel -> channel.usePlaintext())
        .build();
  }
}
