package dev.mayfly.local.cloud;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.os.PrivateFolder;
import dev.mayfly.local.os.ServerProcess;
import dev.mayfly.local.pubsub.PubSubApi;
import dev.mayfly.local.pubsub.PushEndpoint;
import dev.mayfly.local.pubsub.PushFaults;
import dev.mayfly.local.secrets.SecretManagerApi;
import dev.mayfly.local.secrets.SecretStore;
import dev.mayfly.local.storage.CallerRights;
import dev.mayfly.local.storage.StorageApi;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The simulated cloud as a separate process. It runs until it is killed; its machines continue, and
 * the next process finds them. Settings: {@link CloudSettings}. Once it serves, its URL is in
 * {@code $MAYFLY_HOME/cloud/endpoint}. Exit code 78 means invalid settings.
 */
public final class CloudMain {
  private static final Logger LOG = LoggerFactory.getLogger(CloudMain.class);

  private CloudMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    ServerProcess.run(
        "the simulated cloud",
        () -> {
          var cloud = start(CloudSettings.from(System.getenv()));
          Runtime.getRuntime().addShutdownHook(new Thread(cloud::close));
        });
  }

  /** All of the cloud, as it serves until it is closed. */
  static SimulatedCloud start(CloudSettings settings) throws IOException {
    PrivateFolder.ensure(settings.home());
    var owner = OwnerToken.loadOrCreate(settings.home());
    var clock = InstantSource.system();
    var agent = settings.bootCommand();
    var pubsub =
        new PubSubApi(
            settings.folder().resolve("pubsub"),
            clock,
            new SplittableRandom(),
            new PushEndpoint(URI.create(settings.controlPlane()), Optional.of(owner.text())),
            PushFaults.NONE,
            Optional.of(owner));
    pubsub.start();
    // A write creates a missing bucket.
    var rights = new CallerRights(owner, settings.outputPrefixes());
    var storage = new StorageApi(settings.folder().resolve("buckets"), clock, true, rights::of);
    var routes = new ArrayList<>(storage.routes());
    routes.add(pubsub.route());
    routes.add(new InvitationHandler(owner).route());
    var secrets = new SecretStore(settings.folder().resolve("secrets"));
    routes.add(new SecretManagerApi(settings.project(), secrets).route());
    var audit = new AuditLogSink(pubsub, settings.project());
    var simulatedCloud =
        SimulatedCloud.start(
            settings,
            agent,
            clock,
            new SimulatedCloud.Routes(routes, storage.onMachines(rights::onMachine).routes()),
            audit,
            Optional.of(owner));
    LOG.info("The simulated cloud serves {} from {}", simulatedCloud.url(), settings.folder());
    return simulatedCloud;
  }
}
