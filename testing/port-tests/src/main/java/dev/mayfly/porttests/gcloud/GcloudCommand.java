package dev.mayfly.porttests.gcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The real command, which speaks to a Pub/Sub of the test's own.
 *
 * @param folder keeps its configuration and what it said last
 * @param pubsub the URL, with a slash at its end
 * @param token a file with the token to send; empty: nothing is sent
 */
public record GcloudCommand(Path folder, String pubsub, Optional<Path> token) {
  public GcloudCommand(Path folder, String pubsub) {
    this(folder, pubsub, Optional.empty());
  }

  /** Skips the test where there is no gcloud. */
  public static void required() {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(p -> Files.isExecutable(Path.of(p, "gcloud"))),
        "gcloud is not on the PATH");
  }

  /** Its exit code. */
  public int publish(String project, String topic, String message)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("gcloud", "pubsub", "topics", "publish", topic));
    command.addAll(List.of("--project=" + project, "--message=" + message));
    var process = new ProcessBuilder(command);
    process.environment().putAll(environment());
    var started = process.redirectErrorStream(true).redirectOutput(log().toFile()).start();
    assertThat(started.waitFor(180, TimeUnit.SECONDS)).as("gcloud ends").isTrue();
    return started.exitValue();
  }

  public String said() throws IOException {
    return Files.readString(log());
  }

  private Path log() {
    return folder.resolve("gcloud.log");
  }

  private Map<String, String> environment() throws IOException {
    var settings = new HashMap<String, String>();
    settings.put("CLOUDSDK_CONFIG", Files.createDirectories(folder.resolve("config")).toString());
    if (token.isPresent()) settings.put("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", token.get().toString());
    else settings.put("CLOUDSDK_AUTH_DISABLE_CREDENTIALS", "true");
    settings.put("CLOUDSDK_CORE_DISABLE_PROMPTS", "1");
    settings.put("CLOUDSDK_API_ENDPOINT_OVERRIDES_PUBSUB", pubsub);
    return settings;
  }
}
