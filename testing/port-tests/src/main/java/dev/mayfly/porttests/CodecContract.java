package dev.mayfly.porttests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.port.Codec;
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
  void sentinelRoundTrips() {
    var sentinel =
        new Sentinel(
            "j-1",
            7,
            "s0e1",
            "gs://lab/out/ü.gz",
            17,
            1L << 40,
            "AAAAAA==",
            "w-1",
            DocumentFixtures.T0);

    assertThat(codec().sentinel(codec().sentinel(sentinel))).contains(sentinel);
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
