package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.control.Explanation;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs run where their buckets are, and say what it costs where they cannot. */
class LocalityTest {
  /** Where the jobs here may write; where that is, is another question. */
  private static final List<String> OUTPUTS =
      List.of("gs://lab-eu", "gs://lab-us", "gs://lab-east", "gs://pair", "gs://secret");

  private final Lab lab = new Lab();

  @BeforeEach
  void twoRegions() {
    var spec = lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec();
    var pools =
        List.of(
            Pools.named("cpu", "us-central1-a", "us-central1-b"),
            Pools.named("east", "us-east1-b"));
    lab.publish(
        new Command.ApplyCluster(
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
                spec.budget())));
    lab.objects.locate("gs://central", "US-CENTRAL1");
    lab.objects.locate("gs://lab-east", "US-EAST1");
    lab.objects.locate("gs://lab-eu", "EUROPE-WEST4");
    lab.objects.locate("gs://lab-us", "US");
    lab.objects.locate("gs://pair", "NAM4");
    lab.objects.locate("gs://chosen", "US", "US-EAST1", "US-WEST1");
  }

  private static JobSpec job(String name, String inputs, String output, boolean anyRegion) {
    var s = Lab.spec(name, new TaskSource.Inputs(inputs), output);
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
        s.settle());
  }

  private void put(String bucket, long bytes) {
    var half = new byte[(int) (bytes / 2)];
    for (var name : List.of("a", "b"))
      lab.objects.overwrite(
          Url.of(bucket + "/in/" + name + ".txt"), Objects.Content.of(half), Map.of());
  }

  private Message submit(String name, String inputs, String output) {
    put(inputs, 64 << 20);
    return lab.submit(job(name, inputs + "/in/*.txt", output + "/out/{stem}", false));
  }

  private List<String> locations(String name) {
    return lab.job(name).spec().place().locations();
  }

  @Test
  void aJobWhoseInputsAreInAnotherRegionIsRefusedWithThePriceAndBothRemedies() {
    var refused = submit("far", "gs://lab-eu", "gs://lab-us");

    assertThat(lab.jobs()).isEmpty();
    assertThat(lab.refused(refused))
        .singleElement()
        .asString()
        .contains("tasks.inputs", "gs://lab-eu is in europe-west4", "cluster lab")
        .contains("us-central1, us-east1", "64 MiB", "$0.01", "$0.05 a GiB", "July 2025")
        .contains("use a bucket in us-central1 or us-east1", "anyRegion: true");
  }

  @Test
  void anOutputInAnotherRegionIsRefusedToo() {
    var refused = lab.submit(Lab.spec("far", new TaskSource.Count(3), "gs://lab-eu/out/{index}"));

    assertThat(lab.refused(refused))
        .singleElement()
        .asString()
        .contains("output", "each GiB would cost about $0.05", "not known");
  }

  @Test
  void oneThatSaysSoRunsAnywhere() {
    put("gs://lab-eu", 100);
    lab.submit(job("far", "gs://lab-eu/in/*.txt", "gs://lab-eu/out/{stem}", true));

    assertThat(locations("far")).isEmpty();
  }

  @Test
  void bucketsOfTwoRegionsThatNoMachineIsInBothOfAreRefused() {
    var refused = submit("split", "gs://central", "gs://lab-east");

    assertThat(lab.refused(refused))
        .singleElement()
        .asString()
        .contains("gs://central is in us-central1 (gs://lab-east in us-east1)", "$0.02 a GiB");
  }

  @Test
  void aBucketOfTheContinentOrOfARegionPairFitsEveryRegionThatItHolds() {
    submit("a", "gs://lab-us", "gs://pair");
    submit("b", "gs://chosen", "gs://lab-us");

    assertThat(locations("a")).containsExactly("us", "us-central1+us-east1");
    assertThat(locations("b")).containsExactly("us", "us-east1+us-west1");
  }

  @Test
  void whereNobodyKnowsTheBucketsPlaceNothingIsRefused() {
    submit("j", "gs://somewhere", "gs://lab");

    assertThat(locations("j")).isEmpty();
  }

  @Test
  void aBucketThatMayNotBeAskedIsToldAfterTenMinutes() {
    lab.objects.hide("gs://secret");
    put("gs://lab-us", 64 << 20);
    var message =
        lab.message(
            new Command.SubmitJob(
                job("j", "gs://lab-us/in/*.txt", "gs://secret/out/{stem}", false),
                Optional.empty()));

    // A right that was granted a moment ago may not have spread.
    assertThatThrownBy(() -> lab.control.intake().receive(message))
        .isInstanceOf(MissingPermission.class);
    lab.time.pass(Duration.ofMinutes(9));
    assertThatThrownBy(() -> lab.control.intake().receive(message))
        .isInstanceOf(MissingPermission.class);
    lab.time.pass(Duration.ofMinutes(2));
    lab.control.intake().receive(message);

    assertThat(lab.refused(message))
        .singleElement()
        .asString()
        .contains("output", "nobody can tell in which region gs://secret is")
        .contains("let the control plane list", "anyRegion: true");
  }

  @Test
  void itemsNameTheirInputsThemselves() {
    var items = new TaskSource.Items(List.of(Map.of("input", "gs://lab-eu/x.txt")));
    assertThat(new TaskItem(0, Optional.empty(), Map.of()).input()).isEmpty();
    var refused = lab.submit(Lab.spec("items", items, "gs://lab-us/out/{index}"));

    assertThat(lab.refused(refused)).singleElement().asString().contains("gs://lab-eu");
  }

  @Test
  void onlyWorkersInTheBucketsRegionAreGrantedItsTasks() {
    submit("j", "gs://lab-east", "gs://lab-us");
    var far = lab.machine("w", "cpu", "us-central1-a");
    var near = lab.machine("e", "east", "us-east1-b");
    far.wait = 0;
    far.call();
    lab.pass(2_000);
    near.ask();

    assertThat(far.held()).isEmpty();
    assertThat(near.held()).isNotEmpty();
  }

  @Test
  void explainTellsWhereTheJobRunsAndWhereNot() {
    submit("j", "gs://lab-east", "gs://lab-us");
    var reasons = lab.control.views().explain("lab", "j").reasons();

    assertThat(reasons)
        .filteredOn(r -> r.kind().equals("region"))
        .extracting(Explanation.Reason::text)
        .singleElement()
        .asString()
        .isEqualTo(
            "its buckets are in us and us-east1, and so it runs in us-east1-b (pool east) and not"
                + " in us-central1-a (pool cpu), us-central1-b (pool cpu)");
    assertThat(Arrays.asList("turn", "max", "booting"))
        .doesNotContainAnyElementsOf(reasons.stream().map(Explanation.Reason::kind).toList());
  }
}
