package dev.mayfly.porttests;

import static dev.mayfly.porttests.Samples.T0;
import static dev.mayfly.porttests.Samples.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Write;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How every {@link Ledger} tells of its pulses, beginning with an empty one for each test. */
public abstract class LedgerWatchContract {
  /** The ledger of this test; the same one at each call. */
  protected abstract Ledger ledger();

  /**
   * The next pulse told, or null when none comes within what the adapter promises. Virtual time
   * moves on here.
   */
  protected @Nullable Pulse next(BlockingQueue<Pulse> told) throws InterruptedException {
    return told.poll(120, TimeUnit.SECONDS);
  }

  @Test
  void aWatchBeginsWithThePulseThatIsThere() throws InterruptedException {
    ring("c", 1);
    var told = new LinkedBlockingQueue<Pulse>();

    try (var _ = ledger().watch("c", told::add)) {
      assertThat(until(told, p -> p.work().equals(at(1)))).isPresent();
    }
  }

  @Test
  void aWatchTellsTheLastOfTheChanges() throws InterruptedException {
    var told = new LinkedBlockingQueue<Pulse>();

    try (var _ = ledger().watch("c", told::add)) {
      for (var i = 1; i <= 20; i++) ring("c", i);

      assertThat(until(told, p -> p.work().equals(at(20))))
          .hasValueSatisfying(last -> assertThat(last.workers()).containsKeys("w-1", "w-20"));
    }
  }

  @Test
  void twoWatchesAreBothTold() throws InterruptedException {
    var one = new LinkedBlockingQueue<Pulse>();
    var two = new LinkedBlockingQueue<Pulse>();

    try (var _ = ledger().watch("c", one::add);
        var _ = ledger().watch("c", two::add)) {
      ring("c", 7);

      assertThat(until(one, p -> p.work().equals(at(7)))).isPresent();
      assertThat(until(two, p -> p.work().equals(at(7)))).isPresent();
    }
  }

  @Test
  void aWatchHearsNothingOfOtherClusters() throws InterruptedException {
    var told = new LinkedBlockingQueue<Pulse>();

    try (var _ = ledger().watch("c", told::add)) {
      ring("other", 1);
      ring("c", 2);

      assertThat(until(told, p -> p.work().equals(at(2)))).isPresent();
      assertThat(told).allMatch(p -> p.cluster().equals("c"));
    }
  }

  @Test
  void aClosedWatchIsSilentAndClosingTwiceIsNoError() throws InterruptedException {
    var closed = new LinkedBlockingQueue<Pulse>();
    var open = new LinkedBlockingQueue<Pulse>();
    var watch = ledger().watch("c", closed::add);
    watch.close();
    watch.close();
    closed.clear();

    try (var _ = ledger().watch("c", open::add)) {
      ring("c", 3);

      assertThat(until(open, p -> p.work().equals(at(3)))).isPresent();
      assertThat(closed).noneMatch(p -> p.work().equals(at(3)));
    }
  }

  private void ring(String cluster, int second) {
    ledger().commit(List.of(new Write.Notify(cluster, at(second), true, List.of("w-" + second))));
  }

  private Optional<Pulse> until(BlockingQueue<Pulse> told, Predicate<Pulse> wanted)
      throws InterruptedException {
    for (var pulse = next(told); pulse != null; pulse = next(told)) {
      assertThat(pulse.work()).isAfterOrEqualTo(T0.minusSeconds(1));
      if (wanted.test(pulse)) return Optional.of(pulse);
    }
    return Optional.empty();
  }
}
