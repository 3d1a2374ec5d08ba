package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.porttests.ForeignServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose laptop cloud is down, while another user's program has its ports. */
@Timeout(120)
class ForeignCloudTest {
  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: secret
      cluster: lab
      command: [echo, SECRET]
      tasks: {count: 1, outputs: none}
      """;

  private static final String CLUSTER =
      """
      apiVersion: mayfly.dev/v1
      kind: Cluster
      name: lab
      bucket: gs://lab-secret
      pools:
        - {name: cpu, machine: {type: n2-standard-2}, provisioning: spot, zones: [us-central1-a], workers: {min: 0, max: 1}}
      """;

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> env = new HashMap<>();
  private ForeignServer foreign;

  @BeforeEach
  void start() throws IOException {
    foreign = ForeignServer.start();
    env.put("MAYFLY_HOME", home.toString());
    Files.createDirectories(home.resolve("cloud"));
    Files.writeString(home.resolve("cloud/token"), ForeignServer.OWNER_TOKEN);
    Files.writeString(home.resolve("cloud/person"), "mayfly-person.SECRETPERSONTOKEN");
    Files.writeString(home.resolve("job.yaml"), JOB);
    Files.writeString(home.resolve("cluster.yaml"), CLUSTER);
    announce(1);
  }

  @AfterEach
  void stop() {
    foreign.close();
  }

  private void announce(long pid) throws IOException {
    Files.writeString(
        home.resolve("local.json"),
        """
        {"project":"p","api":"URL/api","pubsub":"URL","storage":"URL","cloud":"URL","workers":"URL/w",
        "cloudPid":PID,"controlPid":PID,"supervisorPid":PID}
        """
            .replace("URL", foreign.url())
            .replace("PID", Long.toString(pid)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status",
        "jobs",
        "stop x -c y",
        "submit HOME/job.yaml",
        "up HOME/cluster.yaml",
        "logs x -c y",
        "explain x -c y",
        "cp gs://lab/x HOME/y",
        "cp HOME/job.yaml gs://lab/x",
        "local freeze *"
      })
  void noCommandSendsTheToken(String command) {
    assertThat(mayfly(command)).as(command).isEqualTo(75);

    foreign.assertAskedForProofOnly();
  }

  @Test
  void theErrorSaysWhoIsThere() {
    assertThat(mayfly("status")).isEqualTo(75);

    assertThat(err.toString(UTF_8))
        .contains("another program answers at " + foreign.address())
        .contains("was not sent to it")
        .contains("start one with: mayfly local");
  }

  /** A token of an earlier version has no mark of a laptop cloud. */
  @Test
  void tokenOfAnEarlierVersionIsKeptToo() throws IOException {
    Files.writeString(home.resolve("cloud/token"), "SECRETOWNERTOKENSECRETOWNERTOKEN12");

    assertThat(mayfly("status")).isEqualTo(75);
    foreign.assertAskedForProofOnly();
  }

  @Test
  void doctorFindsIt() {
    // Not 0 where another program of this machine has a laptop cloud's usual port.
    assertThat(mayfly("doctor")).as(out.toString(UTF_8)).isIn(0, 2);

    assertThat(out.toString(UTF_8)).contains("another program answers at " + foreign.address());
    foreign.assertAskedForProofOnly();
  }

  @Test
  void endedCloudIsCalledEnded() throws IOException {
    announce(4_194_304_000L);

    assertThat(mayfly("status")).isEqualTo(75);

    assertThat(err.toString(UTF_8))
        .contains("the laptop cloud of " + home + " is not running")
        .contains("start one with: mayfly local");
  }

  /** A task of this user that may submit jobs has tokens of its own. */
  @Test
  void taskSendsNoTokenEither() throws IOException {
    Files.writeString(
        home.resolve("tokens"),
        "{\"accessToken\":\"mayfly-task-7.SECRETTASKTOKEN\",\"identityToken\":\"SECRET.a.b\",\"expires\":\"2099-01-01T00:00:00Z\"}");
    env.put("MAYFLY_PROJECT", "mayfly-local");
    env.put("MAYFLY_TOKEN_FILE", home.resolve("tokens").toString());
    env.put("MAYFLY_API_URL", foreign.url() + "/api");
    env.put("MAYFLY_PUBSUB_URL", foreign.url());
    env.put("MAYFLY_STORAGE_ENDPOINT", foreign.url());

    assertThat(mayfly("status")).isEqualTo(75);
    foreign.assertAskedForProofOnly();
  }

  private int mayfly(String command) {
    var screen = TestScreen.plain(out, err);
    var context =
        new CliContext(
            env, screen, new ConditionPoller(() -> ViewFixtures.NOW, span -> {}), () -> "id");
    return Main.run(context, command.replace("HOME", home.toString()).split(" "));
  }
}
