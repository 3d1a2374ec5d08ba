package dev.mayfly.local.cloud;

import com.google.cloud.compute.v1.Operation;
import dev.mayfly.local.cloud.compute.ComputeApi;
import dev.mayfly.local.cloud.compute.MachineDials;
import dev.mayfly.local.cloud.compute.Machines;
import dev.mayfly.local.cloud.compute.Site;
import dev.mayfly.local.cloud.dials.Dials;
import dev.mayfly.local.cloud.http.LoopbackServer;
import dev.mayfly.local.cloud.http.Reply;
import dev.mayfly.local.cloud.http.Route;
import dev.mayfly.local.cloud.tpu.GrpcPort;
import dev.mayfly.local.cloud.tpu.TpuDials;
import dev.mayfly.local.cloud.tpu.TpuNodes;
import dev.mayfly.local.cloud.vm.BootCommand;
import dev.mayfly.local.cloud.vm.IdentityTokens;
import dev.mayfly.local.cloud.vm.VmHost;
import dev.mayfly.local.guard.Access;
import dev.mayfly.local.guard.Guard;
import dev.mayfly.local.guard.OwnerToken;
import dev.mayfly.local.guard.PrivateFolder;
import io.grpc.BindableService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The simulated cloud, running. Closing it leaves its machines running; the next one finds them.
 */
public final class Cloud implements AutoCloseable {
  /** The files in the cloud's folder that say where its ports are. */
  private static final String HTTP = "endpoint";

  private static final String GRPC = "grpc-endpoint";

  private final FolderLock lock;
  private final LoopbackServer server;
  private final Machines machines;
  private final Dials dials;
  private final MachineDials machineDials;
  private final TpuNodes tpus;
  private final GrpcPort grpc;

  private Cloud(
      FolderLock lock,
      LoopbackServer server,
      Machines machines,
      Dials dials,
      MachineDials machineDials,
      TpuNodes tpus,
      GrpcPort grpc) {
    this.lock = lock;
    this.server = server;
    this.machines = machines;
    this.dials = dials;
    this.machineDials = machineDials;
    this.tpus = tpus;
    this.grpc = grpc;
  }

  /**
   * Starts the cloud, and finds the machines of the one before it.
   *
   * @param command what machines boot
   * @param others APIs beside Compute Engine
   * @param systemEvents is told of what Compute does by itself to machines, such as a preemption
   * @throws IOException when the folder is in use by another cloud, or the port is taken
   */
  public static Cloud start(
      CloudSettings settings,
      BootCommand command,
      InstantSource clock,
      List<Route> others,
      Consumer<Operation> systemEvents)
      throws IOException {
    return start(settings, command, clock, others, List.of(), systemEvents);
  }

  /** The same with gRPC services beside Cloud TPU's. */
  public static Cloud start(
      CloudSettings settings,
      BootCommand command,
      InstantSource clock,
      List<Route> others,
      List<BindableService> services,
      Consumer<Operation> systemEvents)
      throws IOException {
    return start(settings, command, clock, others, services, systemEvents, Optional.empty());
  }

  /**
   * The same for its owner alone.
   *
   * @param owner whose token each call must show; empty: only web pages are refused
   * @throws IOException when the folder is in use by another cloud, or a port is taken
   */
  public static Cloud start(
      CloudSettings settings,
      BootCommand command,
      InstantSource clock,
      List<Route> others,
      List<BindableService> services,
      Consumer<Operation> systemEvents,
      Optional<OwnerToken> owner)
      throws IOException {
    var folder = PrivateFolder.make(settings.folder());
    var lock = FolderLock.take(folder);
    try {
      var tokens = IdentityTokens.load(folder.resolve("identity.key"));
      var token = owner.orElseGet(OwnerToken::random);
      var host = new VmHost(folder.resolve("vms"), command, tokens, token, clock);
      var dials = new Dials(settings.bootDelay());
      var site = new Site(settings.project(), host, dials, clock, new SecureRandom());
      var machines = new Machines(site, folder.resolve("compute"), systemEvents);
      var machineDials = new MachineDials(site, machines);
      var tpus = new TpuNodes(site, folder.resolve("tpu"));
      var tpuDials = new TpuDials(tpus);

      var routes = new ArrayList<>(others);
      routes.add(new Route(ComputeApi.PREFIX, new ComputeApi(site, machines)));
      routes.add(
          new Route(
              DialRoutes.PREFIX, new DialRoutes(dials, machineDials, tpuDials, settings.notice())));
      routes.add(
          new Route(
              StateRoute.PATH, new StateRoute(settings.project(), machines, tpuDials, dials)));
      routes.add(new Route(AccountTokens.PREFIX, new AccountTokens(tokens, clock).handler()));
      routes.add(
          new Route(
              "/_sim/certs",
              exchange -> Reply.json(exchange, 200, tokens.certificates()),
              Access.ANYBODY));
      var grpc = GrpcPort.start(grpcPort(folder), tpus, services, dials, owner);
      publish(grpc.endpoint(), folder, GRPC);
      var server = LoopbackServer.start(port(settings, folder), routes, dials, guard(owner));
      publish(server.url(), folder, HTTP);
      machines.begin(server.url());
      tpus.begin(server.url());
      return new Cloud(lock, server, machines, dials, machineDials, tpus, grpc);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static Guard guard(Optional<OwnerToken> owner) {
    return owner.map(Guard::of).orElseGet(Guard::againstPages);
  }

  /** Where its APIs are: the endpoint of every client, without a slash at its end. */
  public String url() {
    return server.url();
  }

  /** Where its gRPC services are, as {@code host:port}. */
  public String grpcEndpoint() {
    return grpc.endpoint();
  }

  /** What befalls its TPU nodes. */
  public TpuDials tpus() {
    return new TpuDials(tpus);
  }

  public Dials dials() {
    return dials;
  }

  public MachineDials machines() {
    return machineDials;
  }

  @Override
  public void close() {
    server.close();
    grpc.close();
    machines.close();
    tpus.close();
    lock.close();
  }

  /** Whole or not at all: others wait for the file, and the next cloud reads it. */
  private static void publish(String url, Path folder, String name) throws IOException {
    var fresh = Files.writeString(folder.resolve(name + ".new"), url);
    Files.move(
        fresh,
        folder.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Machines know the URL by heart, so that a restarted cloud must have the port of the last. */
  private static int port(CloudSettings settings, Path folder) throws IOException {
    return settings.port() != 0 ? settings.port() : lastPort(folder.resolve(HTTP));
  }

  private static int grpcPort(Path folder) throws IOException {
    return lastPort(folder.resolve(GRPC));
  }

  private static int lastPort(Path endpoint) throws IOException {
    if (!Files.exists(endpoint)) {
      return 0;
    }
    var url = Files.readString(endpoint);
    return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
  }
}
