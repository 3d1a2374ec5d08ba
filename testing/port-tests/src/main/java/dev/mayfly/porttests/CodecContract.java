package dev.mayfly.porttests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.port.Codec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of {@link Codec}. */
public abstract class CodecContract {
  private static final byte[] FOREIGN = "no document of Mayfly's: {".getBytes(UTF_8);

  /** The codec under test; always the same. */
  protected abstract Codec codec();

  @Test
  void taskListRoundTrips() {
    var items =
        List.of(
            TaskItem.counted(0),
            new TaskItem(1, Optional.of("gs://lab/in/ü \"x\".gz"), Map.of("lr", "0.1\n")),
            new TaskItem(1_000_000_007L, Optional.of("gs://lab/a,b"), Map.of()));

    assertThat(codec().tasks(codec().tasks(items))).isEqualTo(items);
    assertThat(codec().tasks(codec().tasks(List.of()))).isEmpty();
  }

  @Test
  void equalTasksHaveEqualLines() {
    var one = new LinkedHashMap<>(Map.of("lr", "0.1"));
    one.put("depth", "3");
    var other = new LinkedHashMap<>(Map.of("depth", "3"));
    other.put("lr", "0.1");

    assertThat(codec().tasks(List.of(new TaskItem(0, Optional.empty(), one))))
        .isEqualTo(codec().tasks(List.of(new TaskItem(0, Optional.empty(), other))));
  }

  private static Sentinel sentinel() {
    return new Sentinel(
        "j-1",
        7,
        "s0e1",
        "gs://lab/out/ü.gz",
        17,
        1L << 40,
        "AAAAAA==",
        "w-1",
        DocumentFixtures.T0,
        Optional.of(DocumentFixtures.T0.minusSeconds(7)),
        Optional.of(new MadeFrom(Optional.of(3L), Optional.of("c0de"), Optional.of("c0"))),
        Optional.of(Map.of("acc", 0.93)),
        Optional.of("s0e2"),
        Optional.of("checkpoint 7"));
  }

  @Test
  void sentinelRoundTrips() {
    var sentinel = sentinel();
    assertThat(codec().sentinel(codec().sentinel(sentinel))).contains(sentinel);
    assertThat(Sentinel.metrics(sentinel.metadata())).isEqualTo(sentinel.metrics());
    assertThat(MadeFrom.of(sentinel.metadata())).isEqualTo(sentinel.made().orElseThrow());
  }

  @Test
  void outcomesRoundTrip() {
    var outcomes =
        List.of(
            new TaskOutcome(
                0,
                TaskOutcome.Result.DONE,
                Optional.of("gs://lab/out/0"),
                Optional.of("j-1/s0e1"),
                Optional.empty(),
                Optional.of("gs://lab/in/ü"),
                Map.of("lr", "0.1\n"),
                Optional.of("w-1"),
                Optional.of(DocumentFixtures.T0.minusSeconds(7)),
                Optional.of(DocumentFixtures.T0),
                Optional.of(TaskAttempts.of(1, 2, true)),
                Optional.of(Map.of("acc", 0.5)),
                Optional.empty(),
                Optional.of("s0e2"),
                Optional.of("checkpoint 7"),
                Optional.empty(),
                Optional.of(List.of("w-1", "w-2"))),
            TaskOutcome.ofJob("no object matches"),
            new TaskOutcome(
                1,
                TaskOutcome.Result.NOT_RUN,
                Optional.empty(),
                Optional.empty(),
                Optional.of(DocumentFixtures.failure(1)),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("stopped by ann"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));

    assertThat(codec().outcomes(codec().outcome(outcomes))).isEqualTo(outcomes);
    assertThatThrownBy(() -> codec().outcomes(FOREIGN)).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void sentinelsOfSeveralTasksAreKept() {
    var first = sentinel();
    var second = first.withAdoptedBy("s0e9");

    assertThat(codec().sentinels(codec().sentinels(List.of(first, second))))
        .containsExactly(first, second);
    assertThat(codec().sentinels(codec().sentinels(List.of(first)))).isEqualTo(List.of(first));
    assertThat(codec().sentinels(FOREIGN)).isEmpty();
    assertThat(codec().sentinels(new byte[0])).isEmpty();
  }

  @Test
  void foreignSentinelIsEmpty() {
    assertThat(codec().sentinel(new byte[0])).isEmpty();
    assertThat(codec().sentinel(FOREIGN)).isEmpty();
  }

  @Test
  void malformedDocumentIsRefused() {
    assertThatThrownBy(() -> codec().commands(FOREIGN)).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void equalSpecsHaveEqualHashesAndOthersHaveOthers() {
    var spec = DocumentFixtures.clusterSpec("lab");

    assertThat(codec().hash(spec)).isEqualTo(codec().hash(DocumentFixtures.clusterSpec("lab")));
    assertThat(codec().hash(spec))
        .isNotEqualTo(codec().hash(DocumentFixtures.clusterSpec("other")));
  }
}
