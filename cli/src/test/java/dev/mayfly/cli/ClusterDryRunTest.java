package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly up --dry-run} against a fake control plane. */
class ClusterDryRunTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int width = 80;
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    control.workers.add(ViewFixtures.worker("lab-cpu-a", "ready", 5, Optional.empty()));
  }

  @AfterEach
  void stop() {
    assertThat(control.published).isEmpty();
    assertThat(control.calls).allMatch(call -> call.startsWith("GET "));
    control.close();
  }

  @Test
  void sameFileChangesNothing() throws IOException {
    assertThat(dryRun(ViewFixtures.CLUSTER)).isZero();

    assertThat(out()).isEqualTo("cluster lab would not change (generation 3)\n");
  }

  @Test
  void formerNameOfNoClusterIsTold() throws IOException {
    var renamed = ViewFixtures.CLUSTER.replace("name: lab", "name: lab9");

    assertThat(dryRun(renamed + "formerly: nolab\n")).isZero();
    assertThat(err())
        .contains("formerly: there is no cluster nolab to rename", "the clusters are lab");
    err.reset();
    assertThat(dryRun(renamed + "formerly: lab\n")).isZero();
    assertThat(dryRun(ViewFixtures.CLUSTER + "formerly: nolab\n")).isZero();
    assertThat(err()).as("the file again, after the rename").doesNotContain("formerly");
  }

  @Test
  void idleMachinesAreShownWithTheirPrice() throws IOException {
    assertThat(dryRun(ViewFixtures.WARM)).isZero();

    assertThat(err()).contains(ViewFixtures.WARNING);
  }

  @Test
  void changedFieldsShowBothValues() throws IOException {
    var file =
        ViewFixtures.CLUSTER.replace("max: 5", "max: 8").replace("[z-1]", "[us-central1-a, z-1]");

    assertThat(dryRun(file + "env: {A: b}\n")).isZero();

    assertThat(out())
        .isEqualTo(
            """
            cluster lab would change to generation 4 (a dry run: nothing is published)
              FIELD                  IS   WOULD BE
              pools.cpu.zones        z-1  us-central1-a, z-1
              pools.cpu.workers.max  5    8
              env.A                  -    b

              no running worker would be replaced
            """);
  }

  @Test
  void workersOfChangedMachinesAreNamed() throws IOException {
    assertThat(dryRun(ViewFixtures.CLUSTER.replace("n2-standard-2", "n2-standard-4"))).isZero();

    assertThat(out())
        .contains("pools.cpu.type            n2-standard-2  n2-standard-4")
        .contains("1 running worker would be replaced:")
        .contains("lab-cpu-a  cpu   machine type, visible");
  }

  @Test
  void removedPoolShowsEveryField() throws IOException {
    var other = ViewFixtures.CLUSTER.replace("name: cpu", "name: other");

    assertThat(dryRun(other)).isZero();

    assertThat(out())
        .containsPattern("pools +cpu +other")
        .containsPattern("pools.cpu.type +n2-standard-2 +-")
        .containsPattern("pools.other.type +- +n2-standard-2")
        .contains("lab-cpu-a  cpu   the pool was removed");
  }

  @Test
  void workerOutsideOfNewZonesIsReplaced() throws IOException {
    assertThat(dryRun(ViewFixtures.CLUSTER.replace("[z-1]", "[z-2]"))).isZero();

    assertThat(out()).contains("lab-cpu-a  cpu   zones, without us-central1-a");
  }

  @Test
  void newClusterShowsAllFields() throws IOException {
    assertThat(dryRun(ViewFixtures.CLUSTER.replace("name: lab", "name: fresh"))).isZero();

    assertThat(out())
        .startsWith("cluster fresh would be created (a dry run: nothing is published)\n")
        .containsPattern("pools.cpu.workers.max +5")
        .containsPattern("pools.cpu.provisioning +spot");
  }

  @Test
  void renamedClusterIsComparedWithFormer() throws IOException {
    var file = ViewFixtures.CLUSTER.replace("name: lab", "name: fresh\nformerly: lab");

    assertThat(dryRun(file)).isZero();

    assertThat(out())
        .startsWith("cluster fresh would change to generation 4, formerly lab (a dry run")
        .containsPattern("name +lab +fresh")
        .contains("no running worker would be replaced");
  }

  @Test
  void bucketOfLiveJobsIsRefused() throws IOException {
    assertThat(dryRun(ViewFixtures.CLUSTER.replace("gs://lab", "gs://other"))).isEqualTo(2);

    assertThat(err()).contains(":4: bucket: cluster lab keeps what its live jobs (1) need");
  }

  @Test
  void jsonHasChangesAndReplacedWorkers() throws IOException {
    var file = ViewFixtures.CLUSTER.replace("n2-standard-2", "n2-standard-4");

    assertThat(dryRun(file, "-o", "json")).isZero();

    assertThat(out())
        .startsWith("[{\"cluster\":\"lab\",\"created\":false,\"generation\":3,\"changes\":[")
        .contains(
            "{\"field\":\"pools.cpu.type\",\"was\":\"n2-standard-2\",\"now\":\"n2-standard-4\"}")
        .contains("\"replaced\":[{\"worker\":\"lab-cpu-a\",\"pool\":\"cpu\"");
  }

  @Test
  void tablesFitNarrowAndWideTerminals() throws IOException {
    for (var columns : new int[] {80, 200}) {
      width = columns;
      assertThat(
              dryRun(
                  ViewFixtures.CLUSTER.replace(
                      "[z-1]",
                      "[us-central1-a, us-central1-b, us-central1-c, us-central1-f, us-east1-b]")))
          .isZero();
      assertThat(out().lines()).allMatch(line -> line.length() <= columns);
    }
  }

  private int dryRun(String text, String... options) throws IOException {
    var file = Files.writeString(home.resolve("cluster.yaml"), text).toString();
    out.reset();
    err.reset();
    var screen = TestScreen.plain(out, err, width);
    var args = new String[options.length + 3];
    args[0] = "up";
    args[1] = file;
    args[2] = "--dry-run";
    System.arraycopy(options, 0, args, 3, options.length);
    var clock = new ConditionPoller(() -> ViewFixtures.NOW, _ -> {});
    return Main.run(
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, clock, () -> "id"), args);
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
