package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.text.TaskTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserDocumentsTest {
  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: a
      cluster: lab
      tasks: {count: 3}
      command: [ls]
      """;

  @Test
  void aJobThatSaysLittleHasTheDefaults() {
    var spec = job(JOB);

    assertThat(spec.resources()).isEqualTo(Resources.cpu(1, 0));
    assertThat(spec.retries()).isEqualTo(new RetryRules(3, 100, OnDemandRules.NEVER, List.of()));
    assertThat(spec.run().timeout()).isEqualTo(Duration.ofHours(24));
    assertThat(spec.run().grace()).isEqualTo(Duration.ofSeconds(30));
    assertThat(spec.run().cutOff()).isEqualTo(Duration.ofMinutes(15));
    assertThat(spec.priority()).isEqualTo(50);
    assertThat(spec.data().outputs()).isEqualTo(OutputMode.UPLOADED);
  }

  @Test
  void matrixWithSeedsMakesEveryCombination() {
    var grid = "tasks: {matrix: {model: [small, large], lr: [0.1, 0.01]}, seeds: 3}";
    var spec =
        job(
            JOB.replace("tasks: {count: 3}", grid)
                .replace("[ls]", "[ls, '{model}', '{lr}', '{seed}']"));

    var items = ((TaskSource.Items) spec.tasks()).items();
    assertThat(items).hasSize(2 * 2 * 3);
    assertThat(items.getFirst()).isEqualTo(Map.of("model", "small", "lr", "0.1", "seed", "0"));
    assertThat(items.get(1)).isEqualTo(Map.of("model", "small", "lr", "0.1", "seed", "1"));
    assertThat(items.getLast()).isEqualTo(Map.of("model", "large", "lr", "0.01", "seed", "2"));
  }

  @Test
  void seedsAloneMakeTasks() {
    var spec = job(JOB.replace("{count: 3}", "{seeds: 12}"));

    assertThat(((TaskSource.Items) spec.tasks()).items())
        .hasSize(12)
        .last()
        .isEqualTo(Map.of("seed", "11"));
  }

  @Test
  void oversizedOrClashingMatrixIsRefused() {
    var tooMuch = JOB.replace("{count: 3}", "{matrix: {a: [1, 2]}, seeds: 9999}");
    var twice = JOB.replace("{count: 3}", "{matrix: {seed: [1, 2]}, seeds: 2}");
    var own = JOB.replace("{count: 3}", "{matrix: {index: [1, 2]}}");
    var two = JOB.replace("{count: 3}", "{matrix: {a: [1, 2]}, count: 2}");

    assertThatThrownBy(() -> job(tooMuch)).hasMessageContaining("more than 10,000 tasks");
    assertThatThrownBy(() -> job(twice)).hasMessageContaining("keep one of them");
    assertThatThrownBy(() -> job(own)).hasMessageContaining("choose another name");
    assertThatThrownBy(() -> job(two)).hasMessageContaining("keep one of them");
  }

  @Test
  void aClusterThatSaysLittleHasTheDefaults() {
    var pool =
        cluster(
                """
                {"apiVersion": "mayfly.dev/v1", "kind": "Cluster", "name": "lab", "bucket": "file:///data/lab/",
                \t"pools": [{"name": "cpu", "machine": {"type": "n2-standard-4"}, "zones": ["z-1"],
                \t"workers": {"max": 2}}]}
                """)
            .pools()
            .getFirst();

    assertThat(pool.visible()).isEqualTo(Resources.cpu(4, 16L << 30));
    assertThat(pool.provisioning()).isEqualTo(Provisioning.SPOT);
    assertThat(pool.min()).isZero();
    assertThat(pool.idleAfter()).isEqualTo(Duration.ofMinutes(10));
    assertThat(pool.life()).isEqualTo(Duration.ofHours(24));
  }

  @Test
  void onDemandNeedsPreemptionsOrDeadline() {
    var job =
        "{\"apiVersion\": \"mayfly.dev/v1\", \"kind\": \"Job\", \"name\": \"j\", \"cluster\": \"lab\","
            + "\"tasks\": {\"count\": 1}, \"command\": [\"ls\"], \"onDemand\": %s}";

    assertThat(job(job.formatted("{\"preemptions\": 3}")).retries().onDemand())
        .isEqualTo(new OnDemandRules(3, java.util.Optional.empty(), Duration.ZERO));
    assertThat(job(job.formatted("{\"deadline\": \"8h\"}")).retries().onDemand())
        .isEqualTo(
            new OnDemandRules(0, java.util.Optional.of(Duration.ofHours(8)), Duration.ofHours(4)));
  }

  @Test
  void spotPoolGetsOnDemandFallbackPool() {
    var file =
        "{\"apiVersion\": \"mayfly.dev/v1\", \"kind\": \"Cluster\", \"name\": \"lab\", \"bucket\": \"gs://lab\","
            + "\"pools\": [{\"name\": \"cpu\", \"machine\": {\"type\": \"n2-standard-4\"}, \"zones\": [\"z-1\"],"
            + "\"onDemand\": {\"max\": 3}, \"workers\": {\"min\": 2, \"max\": 8}}]}";

    var pools = cluster(file).pools();

    assertThat(pools).extracting(p -> p.name()).containsExactly("cpu", "cpu-fallback");
    assertThat(pools.get(1)).isEqualTo(pools.get(0).fallback(3));
    assertThat(pools.get(1).provisioning()).isEqualTo(Provisioning.ON_DEMAND);
    assertThat(pools.get(1).min()).isZero();
  }

  private static String own(String workers, String more) {
    return "{\"apiVersion\": \"mayfly.dev/v1\", \"kind\": \"Cluster\", \"name\": \"lab\", \"bucket\": \"gs://lab\","
        + "\"pools\": [{\"name\": \"desk\", \"machine\": {\"type\": \"own\"}, \"visible\": {\"cpu\": 4, \"memory\": \"8Gi\"},"
        + "\"zones\": [\"z-1\"], \"provisioning\": \"static\", \"workers\": "
        + workers
        + more
        + "}]}";
  }

  @Test
  void staticPoolDeclaresItsMachines() {
    var pool = cluster(own("{\"max\": 3}", "")).pools().getFirst();

    assertThat(pool.provisioning()).isEqualTo(Provisioning.STATIC);
    assertThat(pool.visible()).isEqualTo(Resources.cpu(4, 8L << 30));
    assertThat(pool.max()).isEqualTo(3);
  }

  @Test
  void staticPoolHasNoMinimumOrLife() {
    assertThatThrownBy(() -> cluster(own("{\"min\": 1, \"max\": 3}", ", \"life\": \"2h\"")))
        .hasMessageContaining("pools[0].workers.min: static workers join by themselves")
        .hasMessageContaining("pools[0].life: static workers are not deleted");
  }

  @Test
  void aBucketHasNoSlashAtItsEnd() {
    var cluster =
        "{\"apiVersion\": \"mayfly.dev/v1\", \"kind\": \"Cluster\", \"name\": \"lab\", \"bucket\": \"%s\","
            + "\"pools\": [{\"name\": \"a\", \"machine\": {\"type\": \"odd-1\"}, \"zones\": [\"z-1\"],"
            + "\"workers\": {\"max\": 1}, \"visible\": {\"cpu\": 1, \"memory\": \"1Gi\"}}]}";

    assertThat(cluster(cluster.formatted("file:///data/lab/")).bucket())
        .isEqualTo("file:///data/lab");
    assertThat(cluster(cluster.formatted("gs://lab/")).bucket()).isEqualTo("gs://lab");
  }

  @Test
  void variablesOfTheCallerWinAndMayBeNumbers() {
    var text = "variables: {n: 1}\n---\n" + JOB.replace("count: 3", "count: \"{n}\"");

    var tasks =
        ((UserCommand.SubmitJob) parse(text, Map.of("n", "7")).getFirst().command()).spec().tasks();

    assertThat(tasks).isEqualTo(new TaskSource.Count(7));
  }

  @Test
  void manyRegionsComeFromOneFile() throws IOException {
    var text = Files.readString(Path.of("../schemas/samples/valid/user-many.yaml"));

    var parsedDocument = parse(text, Map.of());

    assertThat(parsedDocument)
        .extracting(ParsedDocument::name)
        .containsExactly("us-central2", "europe-west4", "sweep");
    var europe = ((UserCommand.ApplyCluster) parsedDocument.get(1).command()).spec();
    assertThat(europe.bucket()).isEqualTo("gs://lab-europe-west4");
    assertThat(europe.pools().getFirst().zones()).containsExactly("europe-west4-b");
    assertThat(europe.pools().getFirst().max()).isEqualTo(8);
    assertThat(((UserCommand.SubmitJob) parsedDocument.get(2).command()).spec().run().command())
        .containsExactly(
            "train",
            "--model",
            "{model}",
            "--config",
            "{\"a\":{\"b\":1}}",
            "{{literal}}",
            "0x1F",
            "1.10");
  }

  @Test
  void codeFromGitIsForClientsAlone() {
    var code = "git+https://host/lab/train@v1";
    var parsedDocument = parse(JOB + "code: " + code + "\n", Map.of()).getFirst();

    assertThatThrownBy(() -> Wire.codec().commands(parsedDocument.bytes()))
        .hasMessage(
            "code: 'git+https://host/lab/train@v1' is packed where the job is submitted; submit with mayfly submit or the Python client, or write the URL of a zip");
    assertThatThrownBy(() -> parse(JOB + "codeFrom: " + code + "\n", Map.of()))
        .hasMessageContaining("codeFrom: names no commit; write one with all of its digits");
  }

  @Test
  void publishedCodeMustBeUrl() {
    var parsedDocument = parse(JOB + "code: .\n", Map.of()).getFirst();

    assertThatThrownBy(() -> Wire.codec().commands(parsedDocument.bytes()))
        .hasMessage(
            "code: '.' is a folder of the submitter's machine; submit with the CLI, or write the URL of a zip");

    var packed = parsedDocument.with("code", "gs://lab/code/ab.zip").with("owner", "ann");
    assertThat(Wire.codec().commands(packed.bytes())).containsExactly(packed.command());
    assertThat(((UserCommand.SubmitJob) packed.command()).spec().owner()).contains("ann");
    assertThatThrownBy(() -> parsedDocument.with("owner", "two words"))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void aDocumentCanBeMadeOfFields() {
    var stop = UserDocuments.of("StopJob", Map.of("cluster", "lab", "job", "a"));

    assertThat(stop.command()).isEqualTo(new UserCommand.StopJob("lab", "a"));
    assertThat(Wire.codec().commands(stop.bytes())).containsExactly(stop.command());
  }

  @Test
  void doubleBracesInFieldsReachCommand() {
    var fields =
        Map.of(
            "name",
            "a",
            "cluster",
            "lab",
            "tasks",
            Map.of("count", 1),
            "command",
            List.of("x{{y}}"));

    assertThat(
            ((UserCommand.SubmitJob) UserDocuments.of("Job", fields).command())
                .spec()
                .run()
                .command())
        .containsExactly("x{{y}}");
  }

  @Test
  void aLiteralReachesATaskAsItIs() {
    for (var text :
        List.of(
            "{index}",
            "{{index}}",
            "{{{a}}}",
            "{a}{b}",
            "x{{",
            "awk '{print $1}'",
            "{\"a\":{\"b\":{}}}")) {
      var fields =
          Map.of(
              "name",
              "a",
              "cluster",
              "lab",
              "tasks",
              Map.of("count", 1),
              "command",
              List.of(UserDocuments.literal(text)));
      var published = Wire.codec().commands(UserDocuments.of("Job", fields).bytes()).getFirst();

      var argument = ((UserCommand.SubmitJob) published).spec().run().command().getFirst();
      assertThat(TaskTemplate.fill(argument, Map.of("index", "7", "a", "8"))).isEqualTo(text);
    }
  }

  @Test
  void equalJobsHaveEqualHashesHoweverTheyAreWritten() {
    var yaml = job(JOB + "env: {A: 1, B: 2}\n");
    var json =
        job(
            """
            {"command": ["ls"], "env": {"B": "2", "A": "1"}, "tasks": {"count": 3}, "cluster": "lab",
             "name": "a", "kind": "Job", "apiVersion": "mayfly.dev/v1"}\
            """);

    assertThat(Wire.codec().hash(yaml)).isEqualTo(Wire.codec().hash(json));
    assertThat(Wire.codec().hash(yaml)).isNotEqualTo(Wire.codec().hash(job(JOB)));
  }

  private static JobSpec job(String text) {
    return ((UserCommand.SubmitJob) Wire.codec().commands(text.getBytes(UTF_8)).getFirst()).spec();
  }

  private static ClusterSpec cluster(String text) {
    return ((UserCommand.ApplyCluster) Wire.codec().commands(text.getBytes(UTF_8)).getFirst())
        .spec();
  }

  private static List<ParsedDocument> parse(String text, Map<String, String> variables) {
    return UserDocuments.parse(text.getBytes(UTF_8), "job.yaml", variables);
  }
}
