package dev.mayfly.local.cloud.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.cloud.http.Gate;
import dev.mayfly.local.cloud.http.LoopbackServer;
import dev.mayfly.local.cloud.http.Route;
import dev.mayfly.local.cloud.rest.Faults;
import dev.mayfly.local.cloud.rest.Gcloud;
import dev.mayfly.local.cloud.rest.TestServer;
import dev.mayfly.local.guard.Guard;
import dev.mayfly.local.guard.OwnerToken;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real command against the laptop's Pub/Sub. */
class GcloudPublishTest {
  @TempDir Path folder;

  @Test
  void gcloudPublishesAMessageThatArrives() throws Exception {
    Gcloud.required();
    var receiver = new Receiver();
    try (var controlPlane = new TestServer(receiver.routes());
        var surface =
            new PubSubSurface(
                folder.resolve("pubsub"),
                InstantSource.system(),
                new SplittableRandom(1),
                new PushTarget(URI.create(controlPlane.url())),
                PushDials.NONE,
                Faults.NONE);
        var server = guarded(surface)) {
      surface.start();

      var token = Optional.of(OwnerToken.file(folder));
      var gcloud = new Gcloud(folder, server.url() + "/", token);
      var ended = gcloud.publish("demo", "mayfly-jobs", "{\"kind\": \"Job\", \"name\": \"ü\"}");

      assertThat(ended).as(gcloud.said()).isZero();
      assertThat(receiver.next().text()).isEqualTo("{\"kind\": \"Job\", \"name\": \"ü\"}");
      assertThat(gcloud.publish("demo", "nobodys", "x")).isEqualTo(1);
      assertThat(gcloud.said()).contains("NOT_FOUND").contains("nobodys");
    }
  }

  /** As the laptop cloud serves it, for its owner alone. */
  private LoopbackServer guarded(PubSubSurface surface) throws IOException {
    var owner = OwnerToken.make(folder);
    var routes =
        surface.routes().entrySet().stream()
            .map(route -> new Route(route.getKey(), route.getValue()))
            .toList();
    return LoopbackServer.start(0, routes, (path, mutating) -> Gate.Passage.OPEN, Guard.of(owner));
  }
}
