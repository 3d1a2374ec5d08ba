package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ParentWatchTest {
  private final AtomicInteger cuts = new AtomicInteger();

  @Test
  void endOfInputIsReportedOnce() {
    new ParentWatch(new ByteArrayInputStream(new byte[1_000]), cuts::incrementAndGet).run();

    assertThat(cuts).hasValue(1);
  }

  @Test
  void unreadableInputCountsAsEnd() {
    var broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("closed");
          }
        };

    new ParentWatch(broken, cuts::incrementAndGet).run();

    assertThat(cuts).hasValue(1);
  }

  @Test
  void serviceInputIsIgnored() {
    assertThat(ParentWatch.wanted(Map.of())).isFalse();
    assertThat(ParentWatch.wanted(Map.of("MAYFLY_PARENT", ""))).isFalse();
    assertThat(ParentWatch.wanted(Map.of("MAYFLY_PARENT", "stdin"))).isTrue();
  }
}
