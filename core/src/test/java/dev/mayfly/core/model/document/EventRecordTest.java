package dev.mayfly.core.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventRecordTest {
  private static final Instant AT = Instant.parse("2026-01-31T10:00:00Z");

  @Test
  void idBeginsWithTimeAndWord() {
    assertThat(EventRecord.newId(AT, "lost", "k3v9x0a1b2c3d4e5f6g7"))
        .isEqualTo("2026-01-31T10:00:00.000Z-lost-k3v9x0a1b2");
  }

  @Test
  void idsSortAsTheirTimes() {
    var later = Stream.of(0L, 1L, 999L, 1_000L, 59_999L, 3_600_000L, 86_400_000L * 40);

    assertThat(later.map(ms -> EventRecord.newId(AT.plusMillis(ms), "a", "zyxwvutsrqponm")))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void idHasNoSlashWhateverHappened() {
    assertThat(EventRecord.newId(AT, "a/b c", "k3v9x0a1b2c3")).endsWith("Z-a-b-c-k3v9x0a1b2");
  }

  @Test
  void eachCommandOfAMessageHasItsEvent() {
    assertThat(ofMessage("received", "m-1", 0)).isEqualTo(ofMessage("received", "m-1", 0));
    assertThat(
            Stream.of(
                ofMessage("received", "m-1", 0),
                ofMessage("received", "m-1", 1),
                ofMessage("received", "m-2", 0),
                ofMessage("refused", "m-1", 0)))
        .extracting(EventRecord::id)
        .doesNotHaveDuplicates();
  }

  private static EventRecord ofMessage(String what, String message, int number) {
    return EventRecord.ofMessage("c", "job/j", what, "because", message, AT, number);
  }
}
