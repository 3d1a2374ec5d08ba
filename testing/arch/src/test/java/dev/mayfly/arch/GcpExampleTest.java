package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/gcp} fits what {@code terraform/examples/minimal} deploys. */
class GcpExampleTest {
  private static final String PROJECT = "lab-batch";
  private static final Pattern CLUSTER =
      Pattern.compile("(?s)clusters += +\\{\\s+([a-z]\\w*) += +\\{(.*?)\\n +\\}");
  private static final Pattern REGIONS = Pattern.compile("worker_regions += +\\{ *([a-z0-9-]+) +=");

  private static UserCommand read(String file) throws IOException {
    var path = TerraformConfig.ROOT.resolve("examples/gcp").resolve(file);
    return UserDocuments.parse(Files.readAllBytes(path), file, Map.of("project", PROJECT))
        .getFirst()
        .command();
  }

  private static ClusterSpec cluster() throws IOException {
    return ((UserCommand.ApplyCluster) read("cluster.yaml")).spec();
  }

  private static JobSpec job() throws IOException {
    return ((UserCommand.SubmitJob) read("job.yaml")).spec();
  }

  private static String minimal(Pattern pattern, int group) throws IOException {
    var found = pattern.matcher(TerraformConfig.text("examples/minimal/main.tf"));
    assertThat(found.find()).as("%s in examples/minimal/main.tf", pattern).isTrue();
    return found.group(group);
  }

  private static String value(String block, String name) {
    var found = Pattern.compile("(?m)^\\s*" + name + " += +(.+)$").matcher(block);
    assertThat(found.find()).as(name).isTrue();
    return found.group(1).replace("${var.project}", PROJECT).replace("\"", "");
  }

  @Test
  void clusterMatchesTerraformExample() throws IOException {
    var made = minimal(CLUSTER, 2);

    assertThat(cluster().name()).isEqualTo(minimal(CLUSTER, 1));
    assertThat(cluster().bucket()).isEqualTo("gs://" + value(made, "bucket"));
  }

  @Test
  void machinesAreInRegionOfSubnetAndBucket() throws IOException {
    var region = minimal(REGIONS, 1);

    assertThat(value(minimal(CLUSTER, 2), "location")).isEqualTo(region);
    for (var pool : cluster().pools())
      assertThat(pool.zones()).isNotEmpty().allMatch(zone -> zone.startsWith(region + "-"));
  }

  @Test
  void exampleCostsLittleAndEndsByItself() throws IOException {
    for (var pool : cluster().pools()) {
      assertThat(pool.provisioning()).isEqualTo(Provisioning.SPOT);
      assertThat(pool.min()).isZero();
      assertThat(pool.max()).isLessThanOrEqualTo(2);
      assertThat(pool.life().toHours()).isLessThanOrEqualTo(2);
      assertThat(pool.machineType()).startsWith("e2-");
    }
  }

  /** Debian 12 has no container engine, no Java and no GPU. */
  @Test
  void jobNeedsOnlyDefaultImage() throws IOException {
    assertThat(job().run().image()).isEmpty();
    assertThat(cluster().image()).isEmpty();
    assertThat(cluster().pools()).allMatch(pool -> pool.machine().image().isEmpty());
    assertThat(job().run().command()).startsWith("python3", "primes.py");
    assertThat(job().resources().gpuMillis()).isZero();
  }

  @Test
  void theJobRunsThereAndWritesWhereItMay() throws IOException {
    var prefixes =
        List.of(
            value(minimal(CLUSTER, 2), "output_prefixes").replaceAll("[\\[\\] ]", "").split(","));
    var bucket = cluster().bucket() + "/";
    var output = TaskTemplate.outputUrl(job(), cluster().bucket(), "j1", TaskItem.counted(3));

    assertThat(job().cluster()).isEqualTo(cluster().name());
    assertThat(Feasibility.check(job(), cluster())).isEmpty();
    assertThat(output).startsWith(bucket);
    assertThat(prefixes).anyMatch(prefix -> output.startsWith(bucket + prefix));
  }

  /** The commands of docs/deploy.md up to {@code terraform init}, as they stand. */
  @Test
  void copiedExampleHasModuleAndInputs(@TempDir Path folder)
      throws IOException, InterruptedException {
    var mine = folder.resolve("my-mayfly");
    var example = TerraformConfig.ROOT.resolve("terraform/examples/minimal");
    var there = Files.createDirectories(mine.resolve("terraform/examples/minimal"));
    try (var files = Files.list(example)) {
      for (var file : files.filter(f -> f.toString().endsWith(".tf")).toList())
        Files.copy(file, there.resolve(file.getFileName()));
    }
    var typed =
        Files.readString(TerraformConfig.ROOT.resolve("docs/deploy.md"))
            .lines()
            .filter(
                l -> l.matches(" {8}\\S.*\\.\\./lab-batch.*") && !l.contains("terraform -chdir"))
            .map(String::strip)
            .toList();
    assertThat(typed).hasSize(4);
    var script = "set -e; gcloud() { echo ada@example.org; }; " + String.join("\n", typed);
    var shell = new ProcessBuilder("bash", "-c", script).directory(mine.toFile()).inheritIO();
    assertThat(shell.start().waitFor()).isZero();

    var copy = folder.resolve("lab-batch");
    assertThat(Files.readString(copy.resolve("main.tf")))
        .containsPattern("source += \"\\.\\./my-mayfly/terraform\"");
    var inputs = Files.readString(copy.resolve("terraform.tfvars"));
    assertThat(inputs).contains("people = [\"user:ada@example.org\"]");
    for (var name : TerraformConfig.items("examples/minimal/variables.tf").keySet())
      assertThat(inputs).containsPattern("(?m)^" + name + " = \\S");
    // What the bundles' scripts say that they leave.
    for (var bundler : List.of("functions/bundle", "node-agent/bundle")) {
      var made = Pattern.compile("writes (\\S+/target/bundle/[a-z.-]+?)[, ]");
      var found = made.matcher(Files.readString(TerraformConfig.ROOT.resolve(bundler)));
      assertThat(found.find()).as(bundler).isTrue();
      assertThat(inputs).contains("my-mayfly/" + found.group(1) + "\"");
    }
  }

  /** An account that was asked for has no role until somebody grants it. */
  @Test
  void deploymentPageMakesEachAccountAndGrantsItsRole() throws IOException {
    var page = Files.readString(TerraformConfig.ROOT.resolve("docs/deploy.md"));
    var lines = page.lines().filter(line -> line.startsWith("        gcloud ")).toList();

    var agents = TerraformConfig.json("service-agents.json");
    assertThat(agents.size()).isPositive();
    agents
        .properties()
        .forEach(agent -> {
          var service = agent.getKey();
          var on = first(lines, "services enable .*" + service);
          var made = first(lines, "beta services identity create --service=" + service);
          var granted =
              first(
                  lines,
                  "add-iam-policy-binding .*--role=%s .*@%s\\.iam\\.gserviceaccount\\.com"
                      .formatted(
                          agent.getValue().get("role").asString(),
                          agent.getValue().get("account").asString()));
          assertThat(List.of(on, made, granted)).as(service).isSorted().doesNotContain(-1);
        });
    assertThat(page.indexOf("identity create")).isLessThan(page.indexOf("terraform -chdir"));
  }

  private static int first(List<String> lines, String pattern) {
    var found = Pattern.compile(pattern);
    for (var i = 0; i < lines.size(); i++) if (found.matcher(lines.get(i)).find()) return i;
    return -1;
  }
}
