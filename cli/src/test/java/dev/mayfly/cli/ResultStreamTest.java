package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.ResultStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commands whose standard output is full, or is read no more. */
class ResultStreamTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Refuses every byte. */
  private record Full(String why) {
    OutputStream stream() {
      return new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          throw new IOException(why);
        }
      };
    }
  }

  private int version(OutputStream out) {
    var screen = TestScreen.plain(ResultStream.to(out), new PrintStream(err, true, UTF_8), 80);
    var poller = new ConditionPoller(() -> Instant.EPOCH, span -> {});
    return Main.run(new CliContext(Map.of(), screen, poller, () -> "id"), "version");
  }

  @Test
  void cutOutputIsAFailureWithItsReason() {
    assertThat(version(new Full("No space left on device").stream())).isEqualTo(74);

    assertThat(err.toString(UTF_8))
        .contains("the output is cut, because it could not be written: No space left on device");
  }

  @Test
  void readerThatHasSeenEnoughIsNoFailure() {
    assertThat(version(new Full("Broken pipe").stream())).isZero();
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  @Test
  void wholeOutputIsNoFailure() {
    var out = new ByteArrayOutputStream();

    assertThat(version(out)).isZero();

    assertThat(out.toString(UTF_8)).contains("mayfly");
    assertThat(err.toString(UTF_8)).isEmpty();
  }
}
