package dev.mayfly.local.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.access.TokenHolder;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may publish to which topic of a laptop cloud, and to which function it goes. */
class TopicRightsTest {
  private static final String TOPICS = "/v1/projects/demo/topics";

  @TempDir Path folder;
  private final OwnerToken owner = OwnerToken.random();
  private final HttpClient client = HttpClient.newHttpClient();
  private final PushReceiver pushReceiver = new PushReceiver();
  private TestServer controlPlane;
  private PubSubApi surface;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    controlPlane = new TestServer(pushReceiver.routes());
    surface =
        new PubSubApi(
            folder,
            InstantSource.system(),
            new SplittableRandom(1),
            new PushEndpoint(URI.create(controlPlane.url()), Optional.empty()),
            PushFaults.NONE,
            Optional.of(owner));
    surface.start();
    server = new TestServer(List.of(surface.route()), CallFaultInjector.NONE);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    surface.close();
    controlPlane.close();
    client.shutdownNow();
  }

  @Test
  void submittingTaskPublishesToJobsOnly() throws Exception {
    var task = owner.taskToken("7");
    assertThat(publishAs(task, "mayfly-jobs").statusCode()).isEqualTo(200);
    assertThat(pushReceiver.next().path()).isEqualTo("/functions/mayfly-jobs");
    var refused = publishAs(task, "mayfly-clusters");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("PERMISSION_DENIED", "publishes to mayfly-jobs only");
    assertThat(publishAs(owner.text(), "mayfly-clusters").statusCode()).isEqualTo(200);
  }

  @Test
  void personPublishesToOwnTopicsOnly() throws Exception {
    var ann = owner.invitation(TokenHolder.SUBMITTER, "ann");
    for (var other :
        List.of("mayfly-jobs", "mayfly-jobs-bob", "mayfly-clusters-ann", "mayfly-ticks", "other")) {
      var refused = publishAs(ann, other);
      assertThat(refused.statusCode()).as(other).isEqualTo(403);
      assertThat(refused.body()).contains("ann publishes to mayfly-jobs-ann only");
    }
    assertThat(publishAs(ann, "mayfly-jobs-ann").statusCode()).isEqualTo(200);
    var event = pushReceiver.next();
    assertThat(event.path()).isEqualTo("/functions/mayfly-jobs");
    assertThat(event.headers().getFirst("ce-source"))
        .isEqualTo("//pubsub.googleapis.com/projects/demo/topics/mayfly-jobs-ann");
    var admin = owner.invitation(TokenHolder.ADMIN, "ann");
    assertThat(publishAs(admin, "mayfly-clusters-ann").statusCode()).isEqualTo(200);
    assertThat(pushReceiver.next().path()).isEqualTo("/functions/mayfly-clusters");
    assertThat(publishAs(admin, "mayfly-clusters").statusCode()).isEqualTo(403);
    assertThat(
            publishAs(owner.invitation(TokenHolder.VIEWER, "ann"), "mayfly-jobs-ann").statusCode())
        .isEqualTo(403);
  }

  private HttpResponse<String> publishAs(String token, String topic) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(server.url() + TOPICS + "/" + topic + ":publish"))
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString("{\"messages\":[" + "{\"data\":\"eA==\"}" + "]}"));
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
