package dev.mayfly.functions.os;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.wire.Wire;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LogFormatterTest {
  private static final String FORGED =
      "clusters/x\nNov 22, 2026 SEVERE forged\r\u001b[2J\u2028\u202e\u0085 end";

  private static LogRecord record(Throwable thrown) {
    var record = new LogRecord(Level.WARNING, FORGED);
    record.setInstant(Instant.parse("2026-11-01T00:00:00Z"));
    record.setLoggerName("dev.mayfly.functions.handler.ErrorBoundary");
    record.setThrown(thrown);
    return record;
  }

  @Test
  void eachEventIsOneLine() {
    for (var json : new boolean[] {true, false})
      for (var thrown : new Throwable[] {null, new IllegalStateException(FORGED)}) {
        var line = new LogFormatter(json).format(record(thrown));

        assertThat(line).endsWith("\n");
        assertThat(line.strip().lines()).hasSize(1);
        assertThat(line.strip()).doesNotContain("\r", "\u001b", "\u2028", "\u202e", "\u0085");
      }
  }

  @Test
  void cloudLoggingReadsTheLog() {
    var line = new LogFormatter(true).format(record(null));

    var entry = Wire.shared().read(LogFormatter.Entry.class, line.getBytes(UTF_8));
    assertThat(entry.severity()).isEqualTo("WARNING");
    assertThat(entry.message()).isEqualTo(FORGED);
  }

  @Test
  void plainLogHasTimeLevelAndClass() {
    assertThat(new LogFormatter(false).format(record(null)))
        .startsWith("2026-11-01T00:00:00Z WARNING ErrorBoundary clusters/x\\nNov 22");
  }
}
