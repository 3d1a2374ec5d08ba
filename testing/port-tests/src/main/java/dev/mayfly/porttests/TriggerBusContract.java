package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link TriggerBus}, while nothing is lost. */
public abstract class TriggerBusContract {
  /** The bus under test; always the same. */
  protected abstract TriggerBus bus();

  /** The next trigger that arrives. Advances virtual time. */
  protected abstract Trigger next() throws InterruptedException;

  static List<Trigger> triggers() {
    return List.of(
        new Trigger.Tick(),
        new Trigger.CollectOrphans(),
        new Trigger.Reconcile("c-1"),
        new Trigger.StartWaiting("c-1"),
        new Trigger.RunSchedules("c-1"),
        new Trigger.Expand("c-1", "j-1"),
        new Trigger.Finalize("c-1", "j-1"));
  }

  @ParameterizedTest
  @MethodSource("triggers")
  void triggerArrivesUnchanged(Trigger trigger) throws InterruptedException {
    bus().send(trigger);

    assertThat(next()).isEqualTo(trigger);
  }

  @ParameterizedTest
  @MethodSource("triggers")
  void repeatedTriggerArrivesAgain(Trigger trigger) throws InterruptedException {
    bus().send(trigger);
    bus().send(trigger);

    assertThat(next()).isEqualTo(trigger);
    assertThat(next()).isEqualTo(trigger);
  }
}
