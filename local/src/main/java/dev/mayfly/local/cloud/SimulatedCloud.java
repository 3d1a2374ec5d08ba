package dev.mayfly.local.cloud;

import com.google.cloud.compute.v1.Operation;
import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.http.Route;
import dev.mayfly.local.machines.BootCommand;
import dev.mayfly.local.machines.CloudContext;
import dev.mayfly.local.machines.FaultControls;
import dev.mayfly.local.machines.Hypervisor;
import dev.mayfly.local.machines.IdentityTokenSigner;
import dev.mayfly.local.machines.compute.ComputeApi;
import dev.mayfly.local.machines.compute.ComputeMachines;
import dev.mayfly.local.machines.compute.MachineFaultControls;
import dev.mayfly.local.machines.tpu.TpuFaultControls;
import dev.mayfly.local.machines.tpu.TpuNodes;
import dev.mayfly.local.os.CloudFolderLock;
import dev.mayfly.local.os.PrivateFolder;
import dev.mayfly.local.secrets.IamCredentialsApi;
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
 * The running simulated cloud. Closing it leaves its machines running; the next cloud finds them.
 */
public final class SimulatedCloud implements AutoCloseable {
  /** The files in the cloud's folder with its endpoints. */
  private static final String HTTP = "endpoint";

  private static final String GRPC = "grpc-endpoint";

  private final CloudFolderLock lock;
  private final LoopbackServer server;
  private final ComputeMachines computeMachines;
  private final FaultControls faultControls;
  private final MachineFaultControls machineFaultControls;
  private final TpuNodes tpus;
  private final GrpcServer grpc;

  /**
   * What the cloud serves beside Compute Engine and Cloud TPU.
   *
   * @param apis at its own endpoint
   * @param onMachines at each machine's metadata server
   */
  public record Routes(List<Route> apis, List<Route> onMachines) {
    public Routes {
      apis = List.copyOf(apis);
      onMachines = List.copyOf(onMachines);
    }
  }

  private SimulatedCloud(
      CloudFolderLock lock,
      LoopbackServer server,
      ComputeMachines computeMachines,
      FaultControls faultControls,
      MachineFaultControls machineFaultControls,
      TpuNodes tpus,
      GrpcServer grpc) {
    this.lock = lock;
    this.server = server;
    this.computeMachines = computeMachines;
    this.faultControls = faultControls;
    this.machineFaultControls = machineFaultControls;
    this.tpus = tpus;
    this.grpc = grpc;
  }

  /**
   * Starts the cloud and finds the machines of its predecessor.
   *
   * @param command the command that machines boot
   * @param others APIs beside Compute Engine and Cloud TPU
   * @param systemEvents receives Compute's own actions on machines, such as preemptions
   * @param owner the owner, whose token each call needs; empty to refuse web pages only
   * @throws IOException when the folder is in use by another cloud, or a port is taken
   */
  public static SimulatedCloud start(
      CloudSettings settings,
      BootCommand command,
      InstantSource clock,
      Routes others,
      Consumer<Operation> systemEvents,
      Optional<OwnerToken> owner)
      throws IOException {
    var folder = PrivateFolder.ensure(settings.folder());
    var lock = CloudFolderLock.take(folder);
    try {
      var tokens = IdentityTokenSigner.load(folder.resolve("identity.key"));
      var token = owner.orElseGet(OwnerToken::random);
      var host =
          new Hypervisor(folder.resolve("vms"), command, tokens, token, clock, others.onMachines());
      var faultControls = new FaultControls(settings.bootDelay());
      var cloudContext =
          new CloudContext(settings.project(), host, faultControls, clock, new SecureRandom());
      var machines = new ComputeMachines(cloudContext, folder.resolve("compute"), systemEvents);
      var machineFaults = new MachineFaultControls(cloudContext, machines);
      var tpus = new TpuNodes(cloudContext, folder.resolve("tpu"));
      var tpuFaultControls = new TpuFaultControls(tpus);

      var routes = new ArrayList<>(others.apis());
      routes.add(new Route(ComputeApi.PREFIX, new ComputeApi(cloudContext, machines)));
      routes.add(
          new Route(
              FaultControlHandler.PREFIX,
              new FaultControlHandler(
                  faultControls, machineFaults, tpuFaultControls, settings.notice())));
      routes.add(
          new Route(
              CloudStateHandler.PATH,
              new CloudStateHandler(
                  settings.project(), machines, tpuFaultControls, faultControls)));
      routes.add(new IamCredentialsApi(settings.project(), tokens, token, clock).route());
      routes.add(
          new Route(
              "/_sim/certs",
              restCall -> restCall.answerJson(200, tokens.certificates()),
              AccessLevel.PUBLIC));
      var grpc = GrpcServer.start(lastPort(folder.resolve(GRPC)), tpus, faultControls, owner);
      publish(grpc.endpoint(), folder, GRPC);
      var server =
          LoopbackServer.start(port(settings, folder), routes, faultControls, guard(owner));
      publish(server.url(), folder, HTTP);
      machines.begin(server.url());
      tpus.begin(server.url());
      return new SimulatedCloud(lock, server, machines, faultControls, machineFaults, tpus, grpc);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static AccessGuard guard(Optional<OwnerToken> owner) {
    return owner.map(AccessGuard::of).orElseGet(AccessGuard::againstPages);
  }

  /** The endpoint of the HTTP APIs, without a trailing slash. */
  public String url() {
    return server.url();
  }

  /** The endpoint of the gRPC services, as {@code host:port}. */
  public String grpcEndpoint() {
    return grpc.endpoint();
  }

  /** The fault controls of TPU nodes. */
  public TpuFaultControls tpus() {
    return new TpuFaultControls(tpus);
  }

  public FaultControls faultControls() {
    return faultControls;
  }

  public MachineFaultControls machines() {
    return machineFaultControls;
  }

  @Override
  public void close() {
    server.close();
    grpc.close();
    computeMachines.close();
    tpus.close();
    lock.close();
  }

  /** Writes atomically, because others wait for the file and the next cloud reads it. */
  private static void publish(String url, Path folder, String name) throws IOException {
    var fresh = Files.writeString(folder.resolve(name + ".new"), url);
    Files.move(
        fresh,
        folder.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Machines keep the URL, so a restarted cloud must use the previous port. */
  private static int port(CloudSettings settings, Path folder) throws IOException {
    return settings.port() != 0 ? settings.port() : lastPort(folder.resolve(HTTP));
  }

  private static int lastPort(Path endpoint) throws IOException {
    if (!Files.exists(endpoint)) {
      return 0;
    }
    var url = Files.readString(endpoint);
    return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
  }
}
