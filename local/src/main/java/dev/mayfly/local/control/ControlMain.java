package dev.mayfly.local.control;

import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Meter;
import dev.mayfly.functions.Deployment;
import dev.mayfly.functions.os.Host;
import dev.mayfly.functions.os.LogLine;
import dev.mayfly.gcp.StandIn;
import dev.mayfly.gcp.StartupScript;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.gcp.tpu.TpuSettings;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.local.guard.Guard;
import dev.mayfly.local.guard.LocalAccounts;
import dev.mayfly.local.guard.OwnerToken;
import dev.mayfly.local.ledger.SqliteLedger;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The laptop's control plane as a process of its own, over the simulated cloud. It may be killed at
 * any moment: the next one goes on from the ledger. Settings: {@link ControlSettings}. Exit code 78
 * means that it can't start as it is set up.
 */
public final class ControlMain {
  private static final Logger LOG = LoggerFactory.getLogger(ControlMain.class);
  private static final int BAD_SETUP = 78;

  private ControlMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    LogLine.install();
    try {
      start(ControlSettings.from(System.getenv()));
      new CountDownLatch(1).await();
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("the control plane can't start: {}", e.getMessage());
      System.exit(BAD_SETUP);
    }
  }

  private static void start(ControlSettings settings) throws IOException {
    var clock = InstantSource.system();
    var ids = Host.ids();
    // The cloud is up already, and has made it.
    var owner = OwnerToken.read(settings.home());
    var endpoints =
        Map.of(
            StoreSettings.ENDPOINT,
            settings.cloud(),
            StoreSettings.TOKEN,
            owner.text(),
            "GOOGLE_CLOUD_PROJECT",
            settings.project());
    var bus = new PubSubBus(settings.cloud(), settings.project(), owner.text());
    var meter = new Meter();
    var ledger = meter.around(SqliteLedger.open(settings.home()));
    var ticker = new Ticker(bus, settings.tick());
    var ports =
        new Ports(
            ledger,
            bus,
            fleet(settings, owner),
            ObjectStores.of(endpoints),
            Wire.codec(),
            Host.alarms(clock),
            ticker,
            ids,
            clock);
    var url = "http://127.0.0.1:" + settings.port() + "/workers";
    var instance = "local-" + ids.next(8);
    var deployment =
        Deployment.withIdentity(
            ports, Rules.DEFAULT, instance, url, LocalAccounts.of(settings.project()));
    var door = new Door(settings.cloud());
    FunctionHost.start(settings.port(), deployment, door, meter::operations, Guard.of(owner));
    ticker.start();
    LOG.info("the control plane serves http://127.0.0.1:{}", settings.port());
  }

  /** The cloud, which is up already, has written down where its gRPC services are. */
  private static Fleet fleet(ControlSettings settings, OwnerToken owner) throws IOException {
    var grpc = Files.readString(settings.home().resolve("cloud/grpc-endpoint"));
    var token = Optional.of(owner.text());
    var items =
        settings
            .bundle()
            .map(bundle -> StartupScript.items(bundle.url(), bundle.sha256()))
            .orElse(Map.of());
    var compute = ComputeSettings.of(settings.project()).withMetadata(items);
    var tpu = TpuSettings.of(settings.project()).withMetadata(items);
    return CloudTpu.beside(
        ComputeEngine.fleet(compute.at(new StandIn(settings.cloud(), token))),
        CloudTpu.fleet(tpu.at(new StandIn(grpc, token))));
  }
}
