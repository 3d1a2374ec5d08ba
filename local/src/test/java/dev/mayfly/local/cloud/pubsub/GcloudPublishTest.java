package dev.mayfly.local.cloud.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.local.cloud.rest.Faults;
import dev.mayfly.local.cloud.rest.TestServer;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real command against the laptop's Pub/Sub. */
class GcloudPublishTest {
  @TempDir Path folder;

  @Test
  void gcloudPublishesAMessageThatArrives() throws Exception {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(p -> Files.isExecutable(Path.of(p, "gcloud"))),
        "gcloud is not on the PATH");
    var receiver = new Receiver();
    try (var controlPlane = new TestServer(receiver.routes());
        var surface =
            new PubSubSurface(
                folder.resolve("pubsub"),
                InstantSource.system(),
                new SplittableRandom(1),
                URI.create(controlPlane.url()),
                PushDials.NONE,
                Faults.NONE);
        var server = new TestServer(surface.routes())) {
      surface.start();

      var ended =
          gcloud(
              server, "publish", "mayfly-jobs", "--message={\"kind\": \"Job\", \"name\": \"ü\"}");

      assertThat(ended).as(Files.readString(folder.resolve("gcloud.log"))).isZero();
      assertThat(receiver.next().text()).isEqualTo("{\"kind\": \"Job\", \"name\": \"ü\"}");
      assertThat(gcloud(server, "publish", "nobodys", "--message=x")).isEqualTo(1);
      assertThat(Files.readString(folder.resolve("gcloud.log")))
          .contains("NOT_FOUND")
          .contains("nobodys");
    }
  }

  private int gcloud(TestServer server, String verb, String topic, String option) throws Exception {
    var command =
        new ProcessBuilder("gcloud", "pubsub", "topics", verb, topic, "--project=demo", option);
    command
        .environment()
        .putAll(
            Map.of(
                "CLOUDSDK_CONFIG",
                Files.createDirectories(folder.resolve("config")).toString(),
                "CLOUDSDK_AUTH_DISABLE_CREDENTIALS",
                "true",
                "CLOUDSDK_CORE_DISABLE_PROMPTS",
                "1",
                "CLOUDSDK_API_ENDPOINT_OVERRIDES_PUBSUB",
                server.url() + "/"));
    var process =
        command
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("gcloud.log").toFile())
            .start();
    assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("gcloud ends").isTrue();
    return process.exitValue();
  }
}
