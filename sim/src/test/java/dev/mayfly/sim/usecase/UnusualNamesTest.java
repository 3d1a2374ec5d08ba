package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Objects may have names that are rare, and names that Mayfly cannot use. */
class UnusualNamesTest {
  private final Lab lab = new Lab(400);

  private static JobSpec inputs(String glob) {
    return Lab.spec("j", new TaskSource.Inputs(glob), "gs://lab/out/{stem}.txt");
  }

  private void givenInputs(String... names) {
    for (var name : names) lab.put("gs://lab/in/" + name);
  }

  private void givenSentinels(List<String> names) {
    for (var name : names) lab.put("gs://lab/out/" + name + ".COMPLETE");
  }

  private List<String> warnings() {
    return lab.store.query(new Query.Events(lab.uid, Optional.empty(), 100)).complete().stream()
        .map(Stored::value)
        .filter(e -> e.what().equals("inputs-left-out"))
        .map(Event::why)
        .toList();
  }

  @Test
  void inputsWithUnusableNamesAreLeftOutWithOneWarning() {
    givenInputs("a.txt", "b.txt");
    lab.objects.putUnusable("gs://lab", "in/old/../notes.txt");
    lab.objects.putUnusable("gs://lab", "in/tab\t.txt");
    lab.objects.putUnusable("gs://lab", "in/old/../not-meant.gz");

    lab.submit(inputs("gs://lab/in/**.txt"));
    lab.deliver();

    assertThat(lab.job("j").tasks()).isEqualTo(2);
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
      lab.objects.putUnusable("gs://lab", "in/%06d\u007f.txt".formatted(i));

    lab.submit(inputs("gs://lab/in/*.txt"));
    lab.deliver();

    assertThat(lab.job("j").tasks()).isEqualTo(40_100);
    assertThat(warnings())
        .singleElement()
        .asString()
        .startsWith("at least 1 of the inputs")
        .contains("in/000005\\u007f.txt");
  }

  @Test
  void jobWithUnusableInputsOnlyIsRefusedWithTheReason() {
    lab.objects.putUnusable("gs://lab", "in/tab\t.txt");

    var message = lab.submit(inputs("gs://lab/in/*.txt"));

    assertThat(lab.refused(message)).singleElement().asString().contains("in/tab\\u0009.txt");
  }

  @Test
  void unusableNamesAmongOutputsDoNotStopTheEnd() {
    var names = List.of("a.txt", "b.txt", "c.txt", "d.txt", "e.txt");
    givenInputs(names.toArray(String[]::new));
    givenSentinels(names);
    lab.objects.putUnusable("gs://lab", "out/b/../x");
    lab.objects.putUnusable("gs://lab", "out/c\t");

    lab.submit(inputs("gs://lab/in/*.txt"));
    lab.deliver();

    assertThat(lab.end("j")).isEqualTo("SUCCEEDED: 5 done");
  }

  /** Java puts the first of these before the second, and a store the other way round. */
  @Test
  void namesAreMergedWithAListingInTheStoresOrder() {
    var names =
        Stream.of("🦟", "Ａ")
            .flatMap(letter -> IntStream.range(1, 4).mapToObj(i -> letter + i + ".txt"))
            .toList();
    givenInputs(names.toArray(String[]::new));
    givenSentinels(names);

    lab.submit(inputs("gs://lab/in/*.txt"));
    lab.deliver();

    assertThat(lab.end("j")).isEqualTo("SUCCEEDED: 6 done");
  }

  /** Both have the same first half in UTF-16. */
  @Test
  void namesThatDifferWithinACharacterAreListed() {
    var names = List.of("x🦟1.txt", "x🦟2.txt", "x🦠1.txt", "x🦠2.txt");
    givenInputs(names.toArray(String[]::new));
    givenSentinels(names);

    lab.submit(inputs("gs://lab/in/*.txt"));
    lab.deliver();

    assertThat(lab.end("j")).isEqualTo("SUCCEEDED: 4 done");
  }

  @Test
  void outputWithoutRoomForItsSentinelIsRefusedBeforeWork() {
    var longest =
        "é".repeat(500) + "x".repeat(1_024 - 1_000 - "out/".length() - ".COMPLETE".length());
    var fits = lab.submit(Lab.spec("fits", new TaskSource.Count(1), "gs://lab/out/" + longest));
    var tooLong =
        lab.submit(Lab.spec("long", new TaskSource.Count(1), "gs://lab/out/" + longest + "x"));
    var tenth =
        lab.submit(
            Lab.spec(
                "tenth",
                new TaskSource.Count(11),
                "gs://lab/out/" + longest.substring(0, longest.length() - 1) + "{index}"));
    var file =
        lab.submit(Lab.spec("file", new TaskSource.Count(1), "file:///out/" + "x".repeat(247)));

    assertThat(lab.refused(fits)).isEmpty();
    for (var message : List.of(tooLong, tenth))
      assertThat(lab.refused(message))
          .singleElement()
          .asString()
          .contains("1,025 bytes", "at most 1,024", "shorten");
    assertThat(lab.refused(file)).singleElement().asString().contains("at most 255");
  }
}
