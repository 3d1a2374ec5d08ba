package dev.mayfly.local.control;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.functions.os.ProcessPorts;
import dev.mayfly.functions.webhook.WebhookAccess;
import dev.mayfly.functions.webhook.WebhookReach;
import dev.mayfly.gcp.EndpointOverride;
import dev.mayfly.gcp.StartupScript;
import dev.mayfly.gcp.SubmitterMetadata;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcp.fleet.GoogleFleet;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.gcp.tpu.TpuSettings;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.gcs.secrets.CloudSecrets;
import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.LocalAccounts;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.ledger.SqliteLedger;
import dev.mayfly.local.os.ServerProcess;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The laptop's control plane as a separate process, over the simulated cloud. It may be killed at
 * any moment: the next process continues from the ledger. Settings: {@link ControlSettings}. Exit
 * code 78 means invalid settings.
 */
public final class ControlMain {
  private static final Logger LOG = LoggerFactory.getLogger(ControlMain.class);

  private ControlMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    ServerProcess.run("the control plane", () -> start(ControlSettings.from(System.getenv())));
  }

  /** Returns when it serves. */
  static void start(ControlSettings settings) throws IOException {
    var clock = InstantSource.system();
    var idGenerator = ProcessPorts.ids();
    // The running cloud has created the token.
    var owner = OwnerToken.read(settings.home());
    var endpoints =
        Map.of(
            StoreSettings.ENDPOINT,
            settings.cloud(),
            StoreSettings.TOKEN,
            owner.text(),
            "GOOGLE_CLOUD_PROJECT",
            settings.project());
    var publisher = new CloudPublisher(settings.cloud(), settings.project(), owner.text());
    var bus = new LocalTriggerBus(publisher);
    var ledgerMeter = new LedgerMeter();
    var ledger = ledgerMeter.wrap(SqliteLedger.open(settings.home()));
    var tickPublisher = new TickPublisher(bus, settings.tick());
    var context =
        new Context(
            ledger,
            bus,
            new LocalNotificationTopic(publisher),
            fleet(settings, owner),
            ObjectStores.of(endpoints),
            Wire.codec(),
            ProcessPorts.executor(clock),
            tickPublisher,
            idGenerator,
            clock,
            Timings.DEFAULT);
    var url = "http://127.0.0.1:" + settings.port() + "/workers";
    var instance = "local-" + idGenerator.next(8);
    var controlPlaneFunctions =
        ControlPlaneFunctions.withIdentity(
            context,
            instance,
            url,
            LocalAccounts.of(settings.project()),
            new WebhookAccess(
                CloudSecrets.reader(settings.cloud(), settings::project, owner::text),
                WebhookReach.THIS_COMPUTER));
    var identityTokenFilter = new IdentityTokenFilter(settings.cloud(), owner.text());
    FunctionHost.start(
        settings.port(),
        controlPlaneFunctions,
        identityTokenFilter,
        ledgerMeter::operations,
        AccessGuard.of(
            owner,
            header ->
                identityTokenFilter.denialStatus(
                    header,
                    LocalAccounts.taskSubmitter(settings.project()),
                    "http://127.0.0.1:" + settings.port() + "/api",
                    clock.instant())));
    tickPublisher.start();
    LOG.info("the control plane serves http://127.0.0.1:{}", settings.port());
  }

  /** The running cloud has written the endpoint of its gRPC services. */
  private static Fleet fleet(ControlSettings settings, OwnerToken owner) throws IOException {
    var grpc = Files.readString(settings.home().resolve("cloud/grpc-endpoint"));
    var token = Optional.of(owner.text());
    var items =
        new HashMap<>(
            SubmitterMetadata.of(
                LocalAccounts.taskSubmitter(settings.project()),
                "http://127.0.0.1:" + settings.port() + "/api",
                Optional.empty(),
                Optional.of(settings.cloud())));
    settings.bundle().ifPresent(it -> items.putAll(StartupScript.items(it.url(), it.sha256())));
    var compute = ComputeSettings.of(settings.project()).withMetadata(items);
    var tpu = TpuSettings.of(settings.project()).withMetadata(items);
    var onCompute =
        ComputeEngine.fleet(compute.withEndpoint(new EndpointOverride(settings.cloud(), token)));
    var onTpus = CloudTpu.fleet(tpu.withEndpoint(new EndpointOverride(grpc, token)));
    // With a bundle they are virtual machines, with their own programs.
    return settings.bundle().isPresent()
        ? GoogleFleet.of(onCompute, onTpus)
        : GoogleFleet.of(onCompute, onTpus, mounts()::whyUnmounted);
  }

  /** Helpers of mount are not on a person's path. */
  private static LaptopMounts mounts() {
    var path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin";
    return new LaptopMounts(
        Stream.of(path.split(":")).filter(p -> !p.isEmpty()).map(Path::of).toList(),
        Path.of("/proc/self/mounts"));
  }
}
