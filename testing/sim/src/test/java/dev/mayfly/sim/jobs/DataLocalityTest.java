package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.SmallPools;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs run where their buckets are; otherwise the refusal names the transfer cost. */
class DataLocalityTest {
  /** Output prefixes of the jobs here, in whatever region. */
  private static final List<String> OUTPUTS =
      List.of("gs://lab-eu", "gs://lab-us", "gs://lab-east", "gs://pair", "gs://secret");

  private final LabCluster labCluster = new LabCluster();

  @BeforeEach
  void twoRegions() {
    var spec =
        labCluster
            .store
            .read(new DocumentKey.OfCluster(labCluster.uid))
            .orElseThrow()
            .value()
            .spec();
    var pools =
        List.of(
            SmallPools.named("cpu", "us-central1-a", "us-central1-b"),
            SmallPools.named("east", "us-east1-b"));
    labCluster.publish(
        new UserCommand.ApplyCluster(
            new ClusterSpec(
                spec.name(),
                spec.bucket(),
                spec.env(),
                pools,
                spec.owner(),
                spec.secrets(),
                spec.image(),
                spec.registries(),
                spec.mounts(),
                spec.rollout(),
                spec.allows(),
                OUTPUTS,
                spec.budget(),
                spec.setup(),
                spec.storage(),
                spec.limits(),
                spec.mirrors(),
                Optional.empty(),
                Optional.empty()),
            Optional.empty(),
            false));
    labCluster.objects.locate("gs://central", "US-CENTRAL1");
    labCluster.objects.locate("gs://lab-east", "US-EAST1");
    labCluster.objects.locate("gs://lab-eu", "EUROPE-WEST4");
    labCluster.objects.locate("gs://lab-us", "US");
    labCluster.objects.locate("gs://pair", "NAM4");
    labCluster.objects.locate("gs://chosen", "US", "US-EAST1", "US-WEST1");
  }

  private static JobSpec job(String name, String inputs, String output, boolean anyRegion) {
    var s = LabCluster.spec(name, new TaskSource.Inputs(inputs), output);
    return new JobSpec(
        s.name(),
        s.cluster(),
        s.owner(),
        s.tasks(),
        s.data(),
        s.run(),
        s.resources(),
        s.retries(),
        s.priority(),
        s.place(),
        s.exclusive(),
        0,
        anyRegion,
        s.settle(),
        Optional.empty());
  }

  private void put(String bucket, long bytes) {
    var half = new byte[(int) (bytes / 2)];
    for (var name : List.of("a", "b"))
      labCluster.objects.overwrite(
          ObjectUrl.of(bucket + "/in/" + name + ".txt"), ObjectStore.Content.of(half), Map.of());
  }

  private UserMessage submit(String name, String inputs, String output) {
    put(inputs, 64 << 20);
    return labCluster.submit(job(name, inputs + "/in/*.txt", output + "/out/{stem}", false));
  }

  private List<String> locations(String name) {
    return labCluster.job(name).spec().place().locations();
  }

  @Test
  void remoteInputsAreRefusedWithPriceAndRemedies() {
    var refused = submit("far", "gs://lab-eu", "gs://lab-us");

    assertThat(labCluster.jobs()).isEmpty();
    assertThat(labCluster.refused(refused))
        .singleElement()
        .asString()
        .contains("tasks.inputs", "gs://lab-eu is in europe-west4", "cluster lab")
        .contains("us-central1, us-east1", "64 MiB", "$0.01", "$0.05 a GiB", "July 2025")
        .contains("use a bucket in us-central1 or us-east1", "anyRegion: true");
  }

  @Test
  void remoteOutputIsRefused() {
    var refused =
        labCluster.submit(
            LabCluster.spec("far", new TaskSource.Count(3), "gs://lab-eu/out/{index}"));

    assertThat(labCluster.refused(refused))
        .singleElement()
        .asString()
        .contains("output", "each GiB would cost about $0.05", "not known");
  }

  @Test
  void anyRegionJobRunsAnywhere() {
    put("gs://lab-eu", 100);
    labCluster.submit(job("far", "gs://lab-eu/in/*.txt", "gs://lab-eu/out/{stem}", true));

    assertThat(locations("far")).isEmpty();
  }

  @Test
  void bucketsWithoutCommonRegionAreRefused() {
    var refused = submit("split", "gs://central", "gs://lab-east");

    assertThat(labCluster.refused(refused))
        .singleElement()
        .asString()
        .contains("gs://central is in us-central1 (gs://lab-east in us-east1)", "$0.02 a GiB");
  }

  @Test
  void multiRegionBucketFitsItsRegions() {
    submit("a", "gs://lab-us", "gs://pair");
    submit("b", "gs://chosen", "gs://lab-us");

    assertThat(locations("a")).containsExactly("us", "us-central1+us-east1");
    assertThat(locations("b")).containsExactly("us", "us-east1+us-west1");
  }

  @Test
  void bucketWithoutRegionRestrictsNothing() {
    submit("j", "gs://somewhere", "gs://lab");

    assertThat(locations("j")).isEmpty();
  }

  @Test
  void unreadableBucketIsReportedAfterTenMinutes() {
    labCluster.objects.hide("gs://secret");
    put("gs://lab-us", 64 << 20);
    var userMessage =
        labCluster.message(
            new UserCommand.SubmitJob(
                job("j", "gs://lab-us/in/*.txt", "gs://secret/out/{stem}", false),
                Optional.empty()));

    // A new grant may take a while to apply.
    assertThatThrownBy(() -> labCluster.controlPlane.commandHandler().handle(userMessage))
        .isInstanceOf(MissingPermissionException.class);
    labCluster.time.advance(Duration.ofMinutes(9));
    assertThatThrownBy(() -> labCluster.controlPlane.commandHandler().handle(userMessage))
        .isInstanceOf(MissingPermissionException.class);
    labCluster.time.advance(Duration.ofMinutes(2));
    labCluster.controlPlane.commandHandler().handle(userMessage);

    assertThat(labCluster.refused(userMessage))
        .singleElement()
        .asString()
        .contains("output", "the region of gs://secret is unknown")
        .contains("let the control plane list", "anyRegion: true");
  }

  @Test
  void itemsNameTheirInputsThemselves() {
    var items = new TaskSource.Items(List.of(Map.of("input", "gs://lab-eu/x.txt")));
    assertThat(new TaskItem(0, Optional.empty(), Map.of()).input()).isEmpty();
    var refused = labCluster.submit(LabCluster.spec("items", items, "gs://lab-us/out/{index}"));

    assertThat(labCluster.refused(refused)).singleElement().asString().contains("gs://lab-eu");
  }

  @Test
  void onlyWorkersInBucketRegionGetTasks() {
    submit("j", "gs://lab-east", "gs://lab-us");
    var far = labCluster.machine("w", "cpu", "us-central1-a");
    var near = labCluster.machine("e", "east", "us-east1-b");
    far.wait = 0;
    far.sync();
    labCluster.advance(2_000);
    near.syncAndWait();

    assertThat(far.held()).isEmpty();
    assertThat(near.held()).isNotEmpty();
  }

  @Test
  void explainListsRegionsOfJob() {
    submit("j", "gs://lab-east", "gs://lab-us");
    var reasons = labCluster.controlPlane.statusQueries().explain("lab", "j").reasons();

    assertThat(reasons)
        .filteredOn(r -> r.kind().equals("region"))
        .extracting(JobExplanation.Reason::text)
        .singleElement()
        .asString()
        .isEqualTo(
            "its buckets are in us and us-east1, and so it runs in us-east1-b (pool east) and not"
                + " in us-central1-a (pool cpu), us-central1-b (pool cpu)");
    assertThat(Arrays.asList("turn", "max"))
        .doesNotContainAnyElementsOf(reasons.stream().map(JobExplanation.Reason::kind).toList());
  }
}
