package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A number of ten characters may stand for gigabytes; surefire gives this module a small heap. */
class NumberLimitsTest {
  private static final List<String> TOO_LARGE =
      List.of(
          "1e999999999",
          "1e9999999999",
          "-1e99999999999999999999",
          "1e-999999999",
          "1e-9999999999",
          "1e50000000",
          "1E401",
          "9".repeat(401),
          "0." + "1".repeat(401));

  /** One number, wherever a document has one. */
  record Numbers(double part, long count, int few, Resources free) {}

  @Test
  void numbersThatFillTheHeapAreRefused() {
    for (var number : TOO_LARGE)
      for (var field : List.of("part", "count", "few"))
        refused(Numbers.class, "{\"%s\": %s}".formatted(field, number));
  }

  @Test
  void amountsThatFillTheHeapAreRefused() {
    for (var number : TOO_LARGE)
      for (var field : List.of("cpu", "memory", "gpu", "tpu"))
        refused(Numbers.class, "{\"free\": {\"%s\": %s}}".formatted(field, number));
  }

  @Test
  void everyReaderOfBytesRefusesThem() {
    for (var number : TOO_LARGE) {
      var text = "{\"seq\": %s, \"free\": {\"cpu\": %s}}".formatted(number, number);
      refused(SyncReport.class, text);
      assertThatThrownBy(() -> Wire.shared().report(text.getBytes(UTF_8)))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> Wire.shared().trigger(text.getBytes(UTF_8)))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> Wire.codec().tasks(text.getBytes(UTF_8)))
          .isInstanceOf(InvalidInputException.class);
      assertThat(Wire.codec().sentinel(text.getBytes(UTF_8))).isEmpty();
    }
  }

  @Test
  void ordinaryNumbersAreRead() {
    var text = "{\"part\": 4.9e-324, \"count\": -9223372036854775808, \"free\": {\"cpu\": 0.5}}";

    var read = Wire.shared().read(Numbers.class, text.getBytes(UTF_8));

    assertThat(read.part()).isEqualTo(Double.MIN_VALUE);
    assertThat(read.count()).isEqualTo(Long.MIN_VALUE);
    assertThat(read.free().cpuMillis()).isEqualTo(500);
    assertThat(Wire.shared().read(Numbers.class, "{\"part\": 1e308}".getBytes(UTF_8)).part())
        .isEqualTo(1e308);
  }

  @Test
  void doublesOutOfRangeAreRefused() {
    refused(Numbers.class, "{\"part\": 1e399}");
    refused(Numbers.class, "{\"part\": -1e399}");
  }

  @Test
  void messagesAreShortWhateverWasSent() {
    var long1 = "x".repeat(1 << 20);
    for (var text :
        List.of(
            "{\"free\": \"" + long1 + "\"}",
            "{\"free\": {\"cpu\": \"" + long1 + "\"}}",
            "{\"free\": [" + "[],".repeat(100_000) + "0]}",
            "{\"count\": {\"" + long1 + "\": 1}}",
            "{\"count\" " + long1))
      assertThatThrownBy(() -> Wire.shared().read(Numbers.class, text.getBytes(UTF_8)))
          .isInstanceOf(InvalidInputException.class)
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(900));
    var map = "{\"free\": {}, \"" + long1 + "\": {\"cpu\": \"x\"}}";
    assertThatThrownBy(() -> Wire.shared().read(Many.class, map.getBytes(UTF_8)))
        .isInstanceOf(InvalidInputException.class);
    var keyed = "{\"all\": {\"" + long1 + "\": {\"cpu\": \"x\"}}, \"free\": {}}";
    assertThatThrownBy(() -> Wire.shared().read(Many.class, keyed.getBytes(UTF_8)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(900));
  }

  /** A map whose keys come from the sender. */
  record Many(Map<String, Resources> all, String name) {}

  @Test
  void deepAndWideReportsAreRefusedEarly() {
    var deep = "[".repeat(100_000);
    var wide = "{\"x\": [" + "0,".repeat(300_000) + "0]}";

    assertThatThrownBy(() -> Wire.shared().report(deep.getBytes(UTF_8)))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> Wire.shared().report(wide.getBytes(UTF_8)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("more than 250000 values");
  }

  private static void refused(Class<?> type, String text) {
    assertThatThrownBy(() -> Wire.shared().read(type, text.getBytes(UTF_8)))
        .as(text.substring(0, Math.min(60, text.length())))
        .isInstanceOf(InvalidInputException.class)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(900));
  }
}
