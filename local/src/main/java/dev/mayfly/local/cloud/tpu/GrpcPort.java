package dev.mayfly.local.cloud.tpu;

import dev.mayfly.local.cloud.http.Gate;
import dev.mayfly.local.guard.OwnerToken;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;

/** The one port of this cloud's gRPC services, on loopback. */
public final class GrpcPort implements AutoCloseable {
  private final Server server;

  private GrpcPort(Server server) {
    this.server = server;
  }

  /**
   * @param port 0 for any that is free
   * @param gate what becomes of each call
   * @param owner whose token each call must show; empty: none
   * @throws IOException when the port is taken
   */
  public static GrpcPort start(
      int port, TpuNodes nodes, List<BindableService> others, Gate gate, Optional<OwnerToken> owner)
      throws IOException {
    var builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .executor(Executors.newVirtualThreadPerTaskExecutor());
    builder.intercept(new GateInterceptor(gate));
    // The one that is added last is asked first.
    owner.map(TokenInterceptor::new).ifPresent(builder::intercept);
    builder.addService(new TpuApi(nodes));
    builder.addService(new OperationsApi(nodes.operations()));
    others.forEach(builder::addService);
    return new GrpcPort(builder.build().start());
  }

  /** {@code host:port}, as Google's clients want it. */
  public String endpoint() {
    return "127.0.0.1:" + server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
