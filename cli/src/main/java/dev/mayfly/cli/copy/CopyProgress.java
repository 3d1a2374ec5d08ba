package dev.mayfly.cli.copy;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Screen;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Counts the bytes of a copy and shows them on a terminal. Thread-safe. */
final class CopyProgress {
  private static final Duration EVERY = Duration.ofMillis(200);

  private final Screen screen;
  private final InstantSource clock;
  private final Instant start;
  private long bytes;
  private Instant shown;

  CopyProgress(Screen screen, InstantSource clock) {
    this.screen = screen;
    this.clock = clock;
    start = clock.instant();
    shown = start;
  }

  /** The stream, counted as it is read. */
  InputStream counted(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        var value = in.read();
        if (value >= 0) add(1);
        return value;
      }

      @Override
      public int read(byte[] into, int at, int most) throws IOException {
        var count = in.read(into, at, most);
        if (count > 0) add(count);
        return count;
      }
    };
  }

  private synchronized void add(int count) {
    bytes += count;
    var now = clock.instant();
    if (!screen.terminal() || now.isBefore(shown.plus(EVERY))) return;
    shown = now;
    screen.err().print("\r" + HumanFormat.bytes(bytes) + rate(bytes, now) + "   ");
    screen.err().flush();
  }

  private String rate(long size, Instant now) {
    var millis = Math.max(1, Duration.between(start, now).toMillis());
    return ", " + HumanFormat.bytes(size * 1_000 / millis) + "/s";
  }

  /** Shows what was copied, of so many bytes: the streams that carried them may be longer. */
  synchronized void done(String what, long size) {
    if (screen.terminal()) screen.err().print("\r");
    screen.note("%s (%s%s)".formatted(what, HumanFormat.bytes(size), rate(size, clock.instant())));
  }
}
