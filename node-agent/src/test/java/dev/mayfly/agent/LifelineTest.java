package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LifelineTest {
  private final AtomicInteger cuts = new AtomicInteger();

  @Test
  void isCutOnceWhenTheOtherEndIsGoneWhateverWasSaidBefore() {
    new Lifeline(new ByteArrayInputStream(new byte[1_000]), cuts::incrementAndGet).run();

    assertThat(cuts).hasValue(1);
  }

  @Test
  void anInputThatCannotBeReadHasNoOtherEnd() {
    var broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("closed");
          }
        };

    new Lifeline(broken, cuts::incrementAndGet).run();

    assertThat(cuts).hasValue(1);
  }

  @Test
  void theInputOfAServiceMeansNothing() {
    assertThat(Lifeline.wanted(Map.of())).isFalse();
    assertThat(Lifeline.wanted(Map.of("MAYFLY_PARENT", ""))).isFalse();
    assertThat(Lifeline.wanted(Map.of("MAYFLY_PARENT", "stdin"))).isTrue();
  }
}
