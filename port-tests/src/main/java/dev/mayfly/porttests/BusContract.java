package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every bus owes those who send with it, while nothing is lost. */
public abstract class BusContract {
  /** The bus of this test; the same one at each call. */
  protected abstract Bus bus();

  /** The next hint that arrives. Virtual time moves on here. */
  protected abstract Hint next() throws InterruptedException;

  static List<Hint> hints() {
    return List.of(
        new Hint.Tick(),
        new Hint.Sweep(),
        new Hint.Look("c-1"),
        new Hint.Expand("c-1", "j-1"),
        new Hint.Audit("c-1", "j-1"));
  }

  @ParameterizedTest
  @MethodSource("hints")
  void aHintArrivesAsItWasSent(Hint hint) throws InterruptedException {
    bus().send(hint);

    assertThat(next()).isEqualTo(hint);
  }

  @ParameterizedTest
  @MethodSource("hints")
  void aRepeatedHintArrivesAgain(Hint hint) throws InterruptedException {
    bus().send(hint);
    bus().send(hint);

    assertThat(next()).isEqualTo(hint);
    assertThat(next()).isEqualTo(hint);
  }
}
