package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every bus owes those who send with it, while nothing is lost. */
public abstract class TriggerBusContract {
  /** The bus of this test; the same one at each call. */
  protected abstract TriggerBus bus();

  /** The next hint that arrives. Virtual time moves on here. */
  protected abstract Trigger next() throws InterruptedException;

  static List<Trigger> hints() {
    return List.of(
        new Trigger.Tick(),
        new Trigger.Sweep(),
        new Trigger.Look("c-1"),
        new Trigger.Expand("c-1", "j-1"),
        new Trigger.Audit("c-1", "j-1"));
  }

  @ParameterizedTest
  @MethodSource("hints")
  void aHintArrivesAsItWasSent(Trigger trigger) throws InterruptedException {
    bus().send(trigger);

    assertThat(next()).isEqualTo(trigger);
  }

  @ParameterizedTest
  @MethodSource("hints")
  void aRepeatedHintArrivesAgain(Trigger trigger) throws InterruptedException {
    bus().send(trigger);
    bus().send(trigger);

    assertThat(next()).isEqualTo(trigger);
    assertThat(next()).isEqualTo(trigger);
  }
}
