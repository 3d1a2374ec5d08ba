package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Rights;
import dev.mayfly.core.model.TaskSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job writes where its cluster lets it, wherever in its list the task stands. */
class OutputPlacesTest {
  private final Lab lab = new Lab();

  private Message givenPrefixes(String... prefixes) {
    return applied("gs://lab", prefixes);
  }

  private Message applied(String bucket, String... prefixes) {
    var was = lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec();
    return lab.publish(
        new Command.ApplyCluster(
            new ClusterSpec(
                was.name(),
                bucket,
                was.env(),
                was.pools(),
                was.owner(),
                was.secrets(),
                was.image(),
                was.registries(),
                was.mounts(),
                was.rollout(),
                Rights.NONE,
                List.of(prefixes),
                Optional.empty())));
  }

  private List<String> refused(String output) {
    return lab.refused(lab.submit(Lab.spec("j", new TaskSource.Count(2), output)));
  }

  @Test
  void refusesPlacesOfOthersWithRemedy() {
    for (var output :
        List.of("gs://other/{index}", "gs://lab-other/{index}", "file:///tmp/{index}"))
      assertThat(refused(output)).singleElement().asString().contains("gs://lab", "outputPrefixes");
    assertThat(lab.jobs()).isEmpty();
  }

  @Test
  void refusesPlacesThatMayflyKeeps() {
    for (var output : List.of("gs://lab/mayfly/.jobs/{index}", "gs://lab/mayfly/.code/{index}.zip"))
      assertThat(refused(output)).singleElement().asString().contains("Mayfly keeps its own");
    assertThat(refused("gs://lab/mayfly/own/{index}")).isEmpty();
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
    assertThat(lab.refused(givenPrefixes("file:///data/results"))).isEmpty();
    lab.objects.closeFolders();

    assertThat(lab.refused(givenPrefixes("file:///data/results")))
        .singleElement()
        .asString()
        .contains("outputPrefixes", "file:///data/results is a folder", "gs://BUCKET");
    assertThat(lab.refused(applied("file:///data/lab")))
        .singleElement()
        .asString()
        .contains("bucket", "file:///data/lab is a folder");
  }

  @Test
  void lateTasksOfLongListsAreLookedAtToo() {
    for (var i = 0; i < 21_500; i++) lab.put("gs://lab/in/a/%06d".formatted(i));
    lab.put("gs://lab/in/x-other/1");
    var items = new TaskSource.Inputs("gs://lab/in/*/*");

    lab.submit(Lab.spec("j", items, "gs://lab/{stem}/{index}"));
    lab.deliver();
    assertThat(lab.end("j")).doesNotContain("FAILED");

    lab.put("gs://lab/in/z/.jobs");
    lab.submit(Lab.spec("late", items, "gs://lab/mayfly/{stem}/{index}"));
    lab.deliver();
    assertThat(lab.end("late")).contains("FAILED", "Mayfly keeps its own");
  }
}
