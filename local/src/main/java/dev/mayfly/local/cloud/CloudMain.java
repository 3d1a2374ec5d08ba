package dev.mayfly.local.cloud;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.functions.os.LogLine;
import dev.mayfly.local.cloud.http.Route;
import dev.mayfly.local.cloud.pubsub.PubSubSurface;
import dev.mayfly.local.cloud.pubsub.PushDials;
import dev.mayfly.local.cloud.pubsub.PushTarget;
import dev.mayfly.local.cloud.rest.Faults;
import dev.mayfly.local.cloud.secrets.SecretStore;
import dev.mayfly.local.cloud.secrets.SecretsSurface;
import dev.mayfly.local.cloud.storage.StorageSurface;
import dev.mayfly.local.guard.Access;
import dev.mayfly.local.guard.OwnerToken;
import dev.mayfly.local.guard.PrivateFolder;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The simulated cloud as a process of its own. It runs until it is killed; its machines run on, and
 * the next one finds them. Settings: {@link CloudSettings}. When it serves, its URL is in {@code
 * $MAYFLY_HOME/cloud/endpoint}. Exit code 78 means that it cannot start as it is set up.
 */
public final class CloudMain {
  private static final Logger LOG = LoggerFactory.getLogger(CloudMain.class);
  private static final int BAD_SETUP = 78;

  private CloudMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    LogLine.install();
    try {
      var settings = CloudSettings.from(System.getenv());
      PrivateFolder.make(settings.home());
      var owner = OwnerToken.make(settings.home());
      var clock = InstantSource.system();
      var agent = settings.bootCommand();
      var pubsub =
          new PubSubSurface(
              settings.folder().resolve("pubsub"),
              clock,
              new SplittableRandom(),
              new PushTarget(URI.create(settings.controlPlane()), Optional.of(owner.text())),
              PushDials.NONE,
              Faults.NONE);
      pubsub.start();
      var routes = new ArrayList<>(storage(settings, clock));
      routes.addAll(routes(pubsub.routes(), Access.OWNER));
      var secrets = new SecretStore(settings.folder().resolve("secrets"));
      var secretsApi = new SecretsSurface(settings.project(), secrets, Faults.NONE);
      routes.addAll(routes(secretsApi.routes(), Access.MACHINE));
      var audit = new AuditSink(pubsub, settings.project());
      var cloud = Cloud.start(settings, agent, clock, routes, List.of(), audit, Optional.of(owner));
      Runtime.getRuntime().addShutdownHook(new Thread(cloud::close));
      LOG.info("The simulated cloud serves {} from {}", cloud.url(), settings.folder());
      new CountDownLatch(1).await();
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("The simulated cloud cannot start: {}", e.getMessage());
      System.exit(BAD_SETUP);
    }
  }

  /**
   * Tasks' own clients of Cloud Storage send nothing to another endpoint than Google's, so a
   * process of this user's is enough. Buckets are folders in {@code $MAYFLY_HOME/cloud/buckets};
   * one that is written to is made.
   */
  private static List<Route> storage(CloudSettings settings, InstantSource clock) {
    var buckets = settings.folder().resolve("buckets");
    var surface = new StorageSurface(buckets, clock, Faults.NONE, true);
    return routes(surface.routes(), Access.SAME_USER);
  }

  private static List<Route> routes(Map<String, HttpHandler> handlers, Access access) {
    return handlers.entrySet().stream()
        .map(route -> new Route(route.getKey(), route.getValue(), access))
        .toList();
  }
}
