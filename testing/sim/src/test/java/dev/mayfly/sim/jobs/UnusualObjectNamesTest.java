package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.LeftOutInputs;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Objects with rare names, and with names that Mayfly cannot use. */
class UnusualObjectNamesTest {
  private final LabCluster labCluster = new LabCluster(400);

  private static JobSpec inputs(String glob) {
    return LabCluster.spec("j", new TaskSource.Inputs(glob), "gs://lab/out/{stem}.txt");
  }

  private void givenInputs(String... names) {
    for (var name : names) labCluster.put("gs://lab/in/" + name);
  }

  private void givenSentinels(List<String> names) {
    for (var name : names) labCluster.put("gs://lab/out/" + name + ".COMPLETE");
  }

  private List<String> warnings() {
    return labCluster
        .store
        .query(new LedgerQuery.Events(labCluster.uid, Optional.empty(), 100))
        .requireComplete()
        .stream()
        .map(VersionedDocument::value)
        .filter(e -> e.what().equals("inputs-left-out"))
        .map(EventRecord::why)
        .toList();
  }

  @Test
  void unusableInputsAreSkippedWithOneWarning() {
    givenInputs("a.txt", "b.txt");
    labCluster.objects.putUnusable("gs://lab", "in/old/../notes.txt");
    labCluster.objects.putUnusable("gs://lab", "in/tab\t.txt");
    labCluster.objects.putUnusable("gs://lab", "in/old/../not-meant.gz");

    labCluster.submit(inputs("gs://lab/in/**.txt"));
    labCluster.deliver();

    assertThat(labCluster.job("j").tasks().count()).isEqualTo(2);
    assertThat(labCluster.controlPlane.statusQueries().job("lab", "j").leftOut())
        .contains(new LeftOutInputs(2, "gs://lab/in/old/../notes.txt"));
    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("2 of the inputs")
        .contains("gs://lab/in/old/../notes.txt", "rename");
  }

  @Test
  void longListOfInputsWarnsOnce() {
    IntStream.range(0, 40_100).forEach(i -> givenInputs("%06d.txt".formatted(i)));
    for (var i : List.of(5, 20_005, 40_005))
      labCluster.objects.putUnusable("gs://lab", "in/%06d\u007f.txt".formatted(i));

    labCluster.submit(inputs("gs://lab/in/*.txt"));
    labCluster.deliver();

    assertThat(labCluster.job("j").tasks().count()).isEqualTo(40_100);
    assertThat(labCluster.job("j").tasks().leftOut())
        .contains(new LeftOutInputs(3, "gs://lab/in/000005\\u007f.txt"));
    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("at least 1 of the inputs")
        .contains("in/000005\\u007f.txt");
  }

  @Test
  void jobWithOnlyUnusableInputsIsRefused() {
    labCluster.objects.putUnusable("gs://lab", "in/tab\t.txt");

    var userMessage = labCluster.submit(inputs("gs://lab/in/*.txt"));

    assertThat(labCluster.refused(userMessage))
        .singleElement()
        .asString()
        .contains("in/tab\\u0009.txt");
  }

  @Test
  void bracketsAreExplainedWhereNothingMatches() {
    givenInputs("br[1].txt");
    var wrong = labCluster.submit(inputs("gs://lab/in/br[1].txt"));
    var right = labCluster.submit(inputs("gs://lab/in/br[[]1].txt"));

    assertThat(labCluster.refused(wrong))
        .singleElement()
        .asString()
        .contains("write [[] for a bracket");
    assertThat(labCluster.refused(right)).isEmpty();
  }

  @Test
  void unusableNamesAmongOutputsDoNotStopTheEnd() {
    var names = List.of("a.txt", "b.txt", "c.txt", "d.txt", "e.txt");
    givenInputs(names.toArray(String[]::new));
    givenSentinels(names);
    labCluster.objects.putUnusable("gs://lab", "out/b/../x");
    labCluster.objects.putUnusable("gs://lab", "out/c\t");

    labCluster.submit(inputs("gs://lab/in/*.txt"));
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 5 done (5 before, 0 run)");
  }

  /** Java's order of these two names is the reverse of a store's. */
  @Test
  void namesMergeInStoreOrder() {
    var names =
        Stream.of("🦟", "Ａ")
            .flatMap(letter -> IntStream.range(1, 4).mapToObj(i -> letter + i + ".txt"))
            .toList();
    givenInputs(names.toArray(String[]::new));
    givenSentinels(names);

    labCluster.submit(inputs("gs://lab/in/*.txt"));
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 6 done (6 before, 0 run)");
  }

  /** Both share the first UTF-16 surrogate. */
  @Test
  void namesThatDifferWithinACharacterAreListed() {
    var names = List.of("x🦟1.txt", "x🦟2.txt", "x🦠1.txt", "x🦠2.txt");
    givenInputs(names.toArray(String[]::new));
    givenSentinels(names);

    labCluster.submit(inputs("gs://lab/in/*.txt"));
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 4 done (4 before, 0 run)");
  }

  @Test
  void outputTooLongForSentinelIsRefused() {
    var longest =
        "é".repeat(500) + "x".repeat(1_024 - 1_000 - "out/".length() - ".COMPLETE".length());
    var fits =
        labCluster.submit(
            LabCluster.spec("fits", new TaskSource.Count(1), "gs://lab/out/" + longest));
    var tooLong =
        labCluster.submit(
            LabCluster.spec("long", new TaskSource.Count(1), "gs://lab/out/" + longest + "x"));
    var tenth =
        labCluster.submit(
            LabCluster.spec(
                "tenth",
                new TaskSource.Count(11),
                "gs://lab/out/" + longest.substring(0, longest.length() - 1) + "{index}"));
    var file =
        labCluster.submit(
            LabCluster.spec("file", new TaskSource.Count(1), "file:///out/" + "x".repeat(247)));

    assertThat(labCluster.refused(fits)).isEmpty();
    for (var userMessage : List.of(tooLong, tenth))
      assertThat(labCluster.refused(userMessage))
          .singleElement()
          .asString()
          .contains("1,025 bytes", "at most 1,024", "shorten");
    assertThat(labCluster.refused(file)).singleElement().asString().contains("at most 255");
  }
}
