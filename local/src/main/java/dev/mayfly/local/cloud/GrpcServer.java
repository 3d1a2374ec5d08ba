package dev.mayfly.local.cloud;

import dev.mayfly.gcp.ProofCall;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.access.OwnerTokenInterceptor;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.FaultInterceptor;
import dev.mayfly.local.machines.tpu.OperationsApi;
import dev.mayfly.local.machines.tpu.TpuApi;
import dev.mayfly.local.machines.tpu.TpuNodes;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The server of this cloud's gRPC services, on one loopback port. */
final class GrpcServer implements AutoCloseable {
  private final Server server;

  private GrpcServer(Server server) {
    this.server = server;
  }

  /**
   * @param port the port; 0 for any free port
   * @param callFaultInjector decides the outcome of each call
   * @param owner the owner, whose token each call needs; empty for none
   * @throws IOException when the port is taken
   */
  public static GrpcServer start(
      int port, TpuNodes nodes, CallFaultInjector callFaultInjector, Optional<OwnerToken> owner)
      throws IOException {
    var builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .executor(Executors.newVirtualThreadPerTaskExecutor());
    builder.intercept(new FaultInterceptor(callFaultInjector));
    // The interceptor added last runs first.
    owner.map(OwnerTokenInterceptor::new).ifPresent(builder::intercept);
    builder.addService(new TpuApi(nodes));
    builder.addService(new OperationsApi(nodes.operations()));
    var bound = new AtomicInteger();
    owner.ifPresent(token ->
        builder.addService(
            ProofCall.service(
                (nonce, holder) -> token.proofs(holder, endpoint(bound.get()), nonce))));
    var server = new GrpcServer(builder.build().start());
    bound.set(server.server.getPort());
    return server;
  }

  /** {@code host:port}, as Google's clients expect. */
  public String endpoint() {
    return endpoint(server.getPort());
  }

  private static String endpoint(int port) {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
