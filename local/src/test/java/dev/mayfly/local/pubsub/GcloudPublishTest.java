package dev.mayfly.local.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.porttests.gcloud.GcloudCommand;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real command against the laptop's Pub/Sub. */
class GcloudPublishTest {
  @TempDir Path folder;

  @Test
  void gcloudPublishesAMessageThatArrives() throws Exception {
    GcloudCommand.required();
    var pushReceiver = new PushReceiver();
    try (var controlPlane = new TestServer(pushReceiver.routes());
        var surface =
            new PubSubApi(
                folder.resolve("pubsub"),
                InstantSource.system(),
                new SplittableRandom(1),
                new PushEndpoint(URI.create(controlPlane.url()), Optional.empty()),
                PushFaults.NONE,
                Optional.empty());
        var server = guarded(surface)) {
      surface.start();

      var token = Optional.of(OwnerToken.file(folder));
      var gcloudCommand = new GcloudCommand(folder, server.url() + "/", token);
      var ended =
          gcloudCommand.publish("demo", "mayfly-jobs", "{\"kind\": \"Job\", \"name\": \"ü\"}");

      assertThat(ended).as(gcloudCommand.said()).isZero();
      assertThat(pushReceiver.next().text()).isEqualTo("{\"kind\": \"Job\", \"name\": \"ü\"}");
      assertThat(gcloudCommand.publish("demo", "nobodys", "x")).isEqualTo(1);
      assertThat(gcloudCommand.said()).contains("NOT_FOUND").contains("nobodys");
    }
  }

  /** As the laptop cloud serves it, for its owner alone. */
  private LoopbackServer guarded(PubSubApi surface) throws IOException {
    var owner = OwnerToken.loadOrCreate(folder);
    return LoopbackServer.start(
        0, List.of(surface.route()), CallFaultInjector.NONE, AccessGuard.of(owner));
  }
}
