package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.agent.task.BaseEnvironment;
import dev.mayfly.gcs.StoreSettings;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Google's own clients against the laptop's Cloud Storage, with the environment that a task has.
 * Run by {@code .ci/clients}, which installs them; {@link ClientWireTest} speaks for them
 * elsewhere.
 */
class GoogleClientsTest extends StorageTestCase {
  private static final Path SCRIPTS = Path.of("src/test/resources/clients").toAbsolutePath();
  private static final String BUCKET = "lab";

  @TempDir Path work;

  @BeforeEach
  void givenABucket() {
    bucket();
  }

  /** Where the clients are; the test skips without it, or without the part of it that is named. */
  private static Path clients(String part) {
    var folder = System.getenv("MAYFLY_CLIENTS");
    assumeTrue(folder != null, "Google's clients are run by .ci/clients, which installs them");
    var place = Path.of(folder, part);
    assumeTrue(Files.exists(place.resolve("ready")), part + " is not installed in " + folder);
    return place;
  }

  private void run(Path in, Object... command) throws Exception {
    var output = work.resolve("client.log");
    var words = new ArrayList<String>();
    for (var word : command) words.add(word.toString());
    var process = new ProcessBuilder(words).directory(in.toFile()).redirectErrorStream(true);
    process.environment().clear();
    process.environment().putAll(environment());
    var client = process.redirectOutput(output.toFile()).start();
    var ended = client.waitFor(5, TimeUnit.MINUTES);
    if (!ended) client.destroyForcibly();

    assertThat(ended && client.exitValue() == 0).as(Files.readString(output)).isTrue();
  }

  /** That of a task with {@code metadata: true}, and what keeps gcloud to this test's folder. */
  private Map<String, String> environment() {
    var own = new HashMap<String, String>();
    for (var name : List.of("PATH", "HOME", "LANG", "LC_ALL"))
      if (System.getenv(name) != null) own.put(name, System.getenv(name));
    own.put(StoreSettings.ENDPOINT, "http://127.0.0.1:1");
    // The machine's metadata server has the storage too.
    own.put("GCE_METADATA_HOST", server.url().substring("http://".length()));
    var task = new HashMap<>(BaseEnvironment.from(own));
    task.putAll(BaseEnvironment.ofMetadata(own));
    task.put("CLOUDSDK_CONFIG", work.resolve("gcloud").toString());
    task.put("CLOUDSDK_CORE_PROJECT", "demo");
    return task;
  }

  private Path files() throws Exception {
    return Files.createDirectories(work.resolve("files"));
  }

  @Test
  void pythonClientWorks() throws Exception {
    var python = clients("python").resolve("bin/python");
    run(SCRIPTS, python, "storage_client.py", BUCKET, "python-made");
  }

  @Test
  void gcsfsWorks() throws Exception {
    var python = clients("python").resolve("bin/python");
    run(SCRIPTS, python, "gcsfs_client.py", BUCKET, files());
  }

  @Test
  void nodeClientWorks() throws Exception {
    run(clients("node"), "node", "storage_client.js", BUCKET, "node-made");
  }

  @Test
  void goClientWorks() throws Exception {
    run(SCRIPTS, clients("go").resolve("client"), BUCKET, "go-made");
  }

  @Test
  void gcloudWorks() throws Exception {
    assumeTrue(
        System.getenv("MAYFLY_CLIENTS") != null,
        "gcloud's storage commands are run by .ci/clients");
    var installed =
        List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "gcloud")));
    assumeTrue(installed, "gcloud is not installed");
    run(SCRIPTS, SCRIPTS.resolve("gcloud.sh"), BUCKET, "gcloud-made", files());
  }
}
