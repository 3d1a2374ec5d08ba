package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.ClusterBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job writes only where its cluster allows it, including tasks late in its list. */
class OutputPlacesTest {
  private final LabCluster labCluster = new LabCluster();

  private UserMessage givenPrefixes(String... prefixes) {
    return applied("gs://lab", prefixes);
  }

  private UserMessage applied(String bucket, String... prefixes) {
    var was =
        labCluster
            .store
            .read(new DocumentKey.OfCluster(labCluster.uid))
            .orElseThrow()
            .value()
            .spec();
    return labCluster.publish(
        new UserCommand.ApplyCluster(
            ClusterBuilder.like(was).bucket(bucket).outputPrefixes(List.of(prefixes)).build(),
            Optional.empty(),
            false));
  }

  private List<String> refused(String output) {
    return labCluster.refused(
        labCluster.submit(LabCluster.spec("j", new TaskSource.Count(2), output)));
  }

  @Test
  void refusesPlacesOfOthersWithRemedy() {
    for (var output :
        List.of("gs://other/{index}", "gs://lab-other/{index}", "file:///tmp/{index}"))
      assertThat(refused(output)).singleElement().asString().contains("gs://lab", "outputPrefixes");
    assertThat(labCluster.jobs()).isEmpty();
  }

  @Test
  void checkpointsAreBoundLikeOutputs() {
    givenPrefixes("gs://results/toxicity");

    assertThat(refusedCheckpoint("gs://other/{index}/"))
        .singleElement()
        .asString()
        .contains("checkpoint", "gs://lab", "outputPrefixes");
    assertThat(refusedCheckpoint("gs://lab-{name}/{index}/")).isNotEmpty();
    assertThat(refusedCheckpoint("gs://lab/mayfly/.jobs/{index}/")).isNotEmpty();
    assertThat(refusedCheckpoint("gs://results/toxicity/{index}/")).isEmpty();
  }

  private List<String> refusedCheckpoint(String place) {
    var spec = LabCluster.spec("j", new TaskSource.Count(2), "gs://lab/out/{index}");
    var environment = TaskEnvironment.NONE.withCheckpoint(Optional.of(place));
    return labCluster.refused(labCluster.submit(spec.with(environment)));
  }

  @Test
  void refusesPlacesThatMayflyKeeps() {
    for (var output : List.of("gs://lab/mayfly/.jobs/{index}", "gs://lab/mayfly/.code/{index}.zip"))
      assertThat(refused(output)).singleElement().asString().contains("Mayfly keeps its own");
    assertThat(refused("gs://lab/mayfly/own/{index}")).isEmpty();
  }

  /** A task that leaves a folder has its index at output/index.json. */
  @ParameterizedTest
  @ValueSource(strings = {"x, x/index.json", "x/index.json, x", "x, x.COMPLETE", "x.COMPLETE, x"})
  void outputsThatNeedOnePlaceAreRefused(String names) {
    var items = Stream.of(names.split(", ")).map(name -> Map.of("part", name)).toList();
    var spec = LabCluster.spec("j", new TaskSource.Items(items), "gs://lab/out/{part}");

    assertThat(labCluster.refused(labCluster.submit(spec)))
        .singleElement()
        .asString()
        .contains("output", "may both need gs://lab/out/x");
    assertThat(labCluster.jobs()).isEmpty();
  }

  @Test
  void listedPrefixesAreOpenAndTheirNeighboursNot() {
    givenPrefixes("gs://results/toxicity");

    assertThat(refused("gs://results/toxicity-2/{index}")).isNotEmpty();
    assertThat(refused("gs://results/{index}")).isNotEmpty();
    assertThat(refused("gs://results/toxicity/{index}")).isEmpty();
  }

  @Test
  void foldersArePlacesOnLaptopsOnly() {
    assertThat(labCluster.refused(givenPrefixes("file:///data/results"))).isEmpty();
    labCluster.objects.closeFolders();

    assertThat(labCluster.refused(givenPrefixes("file:///data/results")))
        .singleElement()
        .asString()
        .contains("outputPrefixes", "file:///data/results is a folder", "gs://BUCKET");
    assertThat(labCluster.refused(applied("file:///data/lab")))
        .singleElement()
        .asString()
        .contains("bucket", "file:///data/lab is a folder");
  }

  @Test
  void lateTasksOfLongListsAreChecked() {
    for (var i = 0; i < 21_500; i++) labCluster.put("gs://lab/in/a/%06d".formatted(i));
    labCluster.put("gs://lab/in/x-other/1");
    var items = new TaskSource.Inputs("gs://lab/in/*/*");

    labCluster.submit(LabCluster.spec("j", items, "gs://lab/{stem}/{index}"));
    labCluster.deliver();
    assertThat(labCluster.end("j")).doesNotContain("FAILED");

    labCluster.put("gs://lab/in/z/.jobs");
    labCluster.submit(LabCluster.spec("late", items, "gs://lab/mayfly/{stem}/{index}"));
    labCluster.deliver();
    assertThat(labCluster.end("late")).contains("FAILED", "Mayfly keeps its own");
  }
}
