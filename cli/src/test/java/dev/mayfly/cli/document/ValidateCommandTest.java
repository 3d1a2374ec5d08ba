package dev.mayfly.cli.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly validate} without a cloud. */
class ValidateCommandTest {
  private static final String CLUSTER =
      """
      apiVersion: mayfly.dev/v1
      kind: Cluster
      name: lab
      bucket: gs://lab-bucket
      pools:
        - {name: cpu, machine: {type: n2-standard-4}, zones: [us-central1-a], workers: {max: 5}}
      """;

  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: reddit
      cluster: lab
      tasks: {count: 12}
      command: [echo, "{index}"]
      """;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int width = Screen.ENDLESS;

  @Test
  void validDocumentsShowWhatTheyWouldDo() throws IOException {
    assertThat(mayfly("validate", file("c.yaml", CLUSTER), file("j.yaml", JOB))).isZero();

    assertThat(out())
        .contains("Cluster  lab     1 pool, at most 5 workers")
        .contains("Job      reddit  pool cpu: 4 tasks at once on each n2-standard-4")
        .endsWith("2 valid documents\n");
    assertThat(err()).isEmpty();
  }

  @Test
  void storageThatIsMadeShowsItsPrice() throws IOException {
    var storage =
        """
        storage:
          - {name: data, filestore: {zone: us-central1-a, capacityGb: 2048}, path: /mnt/data}
          - {name: found, filestore: {}, path: /mnt/found}
        """;

    assertThat(mayfly("validate", file("c.yaml", CLUSTER + storage))).isZero();

    assertThat(out() + err())
        .contains("storage data: filestore: costs about $327.68 a month")
        .contains("2,048 GB of BASIC_HDD; list price of us-central1, June 2026")
        .contains("storage_usd_per_month")
        .doesNotContain("storage found");
  }

  @Test
  void everyErrorOfEveryFileIsShown() throws IOException {
    var both = file("both.yaml", JOB.replace("reddit", "BAD") + "---\n" + JOB.replace("12", "0"));
    var big = file("big.yaml", CLUSTER + "---\n" + JOB + "resources: {cpu: 9}\n");

    assertThat(mayfly("validate", both, "missing.yaml", big)).isEqualTo(2);

    assertThat(err().lines())
        .anyMatch(line -> line.startsWith(both + ":3: name: 'BAD'"))
        .anyMatch(line -> line.startsWith(both + ":12: tasks.count: 0 is too little"))
        .anyMatch(line -> line.startsWith("file not found: ") && line.endsWith("missing.yaml"))
        .anyMatch(line -> line.startsWith(big + ":14: resources: asks for 9 CPU a task"));
    assertThat(out()).contains("1 pool, at most 5 workers").contains("has errors");
  }

  @Test
  void oneInvalidDocumentDoesNotHideOthers() throws IOException {
    var file = file("all.yaml", CLUSTER + "---\n" + JOB + "tusks: 3\n---\n" + JOB);

    assertThat(mayfly("validate", file)).isEqualTo(2);

    assertThat(out()).contains("pool cpu: 4 tasks at once");
    assertThat(err()).contains("tusks").doesNotContain("is there twice");
  }

  @Test
  void jobRunsOnSliceOfSameFiles() throws IOException {
    var slice =
        """
        ---
        apiVersion: mayfly.dev/v1
        kind: Slice
        cluster: lab
        name: big
        type: v4-16
        zone: us-central2-b
        """;
    var job = JOB + "pools: [big]\nresources: {tpu: 4}\n";

    assertThat(mayfly("validate", file("a.yaml", CLUSTER + slice + "---\n" + job))).isZero();
    assertThat(out()).contains("pool big: 1 task at once on each v4-16");

    assertThat(mayfly("validate", file("a.yaml", CLUSTER + "---\n" + job))).isEqualTo(2);
    assertThat(err()).contains("names the pools big, and cluster lab has none of them");
  }

  @Test
  void unknownClusterIsWarning() throws IOException {
    assertThat(mayfly("validate", file("j.yaml", JOB))).isZero();

    assertThat(err()).contains("warning: ").contains("'lab' is in none of these files");
    assertThat(out()).endsWith("1 valid document, 1 warning\n");
  }

  @Test
  void costlyAndUselessPoolsAreWarnings() throws IOException {
    var warm = CLUSTER.replace("max: 5", "min: 2, max: 5");
    var poor = CLUSTER + "budget: {usdPerHour: 0.01, prices: {n2-standard-4: 0.05}}\n";

    assertThat(mayfly("validate", file("warm.yaml", warm))).isZero();
    assertThat(err()).contains("pool cpu: workers.min: is 2: so many machines run without work");

    assertThat(mayfly("validate", file("poor.yaml", poor))).isZero();
    assertThat(err()).contains("costs $0.05 an hour each, and the budget is $0.01");

    var far =
        CLUSTER
            + "image: us-central1-docker.pkg.dev/lab/job/base:1\n"
            + "mirrors: {us-centrl1: us-central1-docker.pkg.dev/lab/job}\n";
    assertThat(mayfly("validate", file("far.yaml", far))).isZero();
    assertThat(err()).contains("mirrors.us-centrl1: no pool has a zone there");

    assertThat(mayfly("validate", file("none.yaml", CLUSTER.replace("max: 5", "max: 0")))).isZero();
    assertThat(err()).contains("workers.max: is 0");
  }

  @Test
  void zoneThatMayBeNewIsWarning() throws IOException {
    var zone = CLUSTER.replaceFirst("zones: \\[[^]]*]", "zones: [us-central7-a]");
    assertThat(mayfly("validate", file("zone.yaml", zone))).isZero();
    assertThat(err()).contains("pool cpu: zones: 'us-central7-a' is in none of Google's regions");
  }

  @Test
  void bootImageWithoutProgramsIsWarning() throws IOException {
    var bucket = CLUSTER + "mounts: [{bucket: lab-data, path: /mnt/lab}]\n";
    var nfs = "mounts: [{nfs: '10.0.0.2:/v', path: /mnt/data}]\n";
    var image = CLUSTER + "image: lab/job:1\n";
    var rocky =
        image.replace(
            "machine: {",
            "machine: {image: projects/rocky-linux-cloud/global/images/family/rocky-linux-9, ");

    assertThat(mayfly("validate", file("bucket.yaml", bucket))).isZero();
    assertThat(err()).as("machines install gcsfuse").isEmpty();
    assertThat(mayfly("validate", file("unmounted.yaml", rocky + nfs))).isEqualTo(2);
    assertThat(err()).contains("pools[0].machine.image: ", "rocky-linux-9 has no mount.nfs");
    assertThat(mayfly("validate", file("rocky.yaml", rocky))).isZero();
    assertThat(err()).contains("rocky-linux-9 has no docker or podman", "mayfly image bake");

    assertThat(mayfly("validate", file("image.yaml", image + "---\n" + JOB))).isZero();
    assertThat(err()).as("machines install docker").isEmpty();
  }

  @Test
  void jobThatNeedsOtherMachinesIsWarning() throws IOException {
    var image = CLUSTER + "---\n" + JOB + "image: lab/job:1\n";
    var paths = CLUSTER + "mounts: [{nfs: '10.0.0.2:/v', path: /mnt/data}]\n---\n" + JOB;

    assertThat(mayfly("validate", file("image.yaml", image))).isZero();
    assertThat(err()).contains("image: needs a container engine, and machines of cpu start");
    var misspelt = paths + "env: {SET: /mnt/dtaa/x}\n";
    assertThat(mayfly("validate", file("paths.yaml", misspelt))).isZero();
    assertThat(err()).contains("env.SET: names /mnt/dtaa/x", "did you mean '/mnt/data'?");
  }

  @Test
  void secretInClearIsWarning() throws IOException {
    var jobs = JOB + "env: {WANDB_API_KEY: 0123456789abcdef}\n";
    var clusters = CLUSTER + "env: {HF_TOKEN: hf_abcdef0123456789}\n";

    assertThat(mayfly("validate", file("c.yaml", clusters), file("j.yaml", jobs))).isZero();

    assertThat(err())
        .contains(
            "j.yaml:", "env.WANDB_API_KEY: is named like a secret", "secrets: {WANDB_API_KEY:")
        .contains("c.yaml:", "env.HF_TOKEN: is named like a secret")
        .doesNotContain("0123456789");
  }

  @Test
  void errorAndWarningNameTheFieldsLine() throws IOException {
    var large = JOB + "resources:\n  cpu: 64\n";
    var cluster = CLUSTER + "env:\n  HF_TOKEN: hf_abcdef0123456789\n";

    assertThat(mayfly("validate", file("c.yaml", cluster), file("j.yaml", large))).isEqualTo(2);

    assertThat(err())
        .contains("j.yaml:8: resources: asks for 64 CPU a task")
        .contains("c.yaml:8: env.HF_TOKEN: is named like a secret");
  }

  @Test
  void setupThatReadsMoreThanItsKeyIsWarning() throws IOException {
    var setup = "setup: {script: pip install -r requirements.txt}\n";

    assertThat(mayfly("validate", file("c.yaml", CLUSTER + setup), file("j.yaml", JOB + setup)))
        .isZero();

    assertThat(err())
        .contains("c.yaml:7: setup.key: does not name requirements.txt")
        .contains("j.yaml:", "write key: [requirements.txt]");
  }

  @Test
  void missingCodeFolderIsError() throws IOException {
    assertThat(mayfly("validate", file("j.yaml", JOB + "code: src\n"))).isEqualTo(2);
    assertThat(err()).contains("j.yaml:7: code: '").contains("/src' is not a folder");

    Files.createDirectory(folder.resolve("src"));
    assertThat(mayfly("validate", file("j.yaml", JOB + "code: src\n"))).isZero();
  }

  @Test
  void clusterInTwoFilesIsError() throws IOException {
    var first = file("a.yaml", CLUSTER);

    assertThat(mayfly("validate", first, file("b.yaml", CLUSTER))).isEqualTo(2);

    assertThat(err()).contains("b.yaml:3: name: cluster 'lab' is there twice, first at " + first);
  }

  @Test
  void variablesReachEveryFile() throws IOException {
    var cluster = file("c.yaml", CLUSTER.replace("max: 5", "max: \"{most}\""));

    assertThat(mayfly("validate", cluster)).isEqualTo(2);
    assertThat(err()).contains("{most}");
    assertThat(mayfly("validate", cluster, "--var", "most=8")).isZero();
    assertThat(out()).contains("at most 8 workers");
  }

  @Test
  void jsonHasErrorsAndWarnings() throws IOException {
    var file = file("j.yaml", JOB + "---\n" + JOB.replace("12", "0"));

    assertThat(mayfly("validate", file, "-o", "json")).isEqualTo(2);

    assertThat(out())
        .startsWith(
            "{\"documents\":[{\"place\":\""
                + file
                + ":1\",\"kind\":\"Job\",\"name\":\"reddit\",\"valid\":true")
        .contains("\"errors\":[{\"path\":\"" + file + ":12: tasks.count\"")
        .contains("\"warnings\":[{\"path\":\"" + file + ":4: cluster\"");
    assertThat(err()).isEmpty();
  }

  @Test
  void tableFitsNarrowTerminal() throws IOException {
    width = 80;
    var files = new String[] {"validate", file("c.yaml", CLUSTER), file("j.yaml", JOB)};

    assertThat(mayfly(files)).isZero();

    assertThat(out().lines()).allMatch(line -> line.length() <= 80);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }

  private int mayfly(String... args) {
    out.reset();
    err.reset();
    var screen = TestScreen.plain(out, err, width);
    var env = Map.of("MAYFLY_HOME", folder.resolve("no-cloud").toString());
    var clock = new ConditionPoller(() -> Instant.EPOCH, _ -> {});
    return Main.run(new CliContext(env, screen, clock, () -> "id", folder), args);
  }
}
