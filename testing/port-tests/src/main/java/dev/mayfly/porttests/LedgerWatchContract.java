package dev.mayfly.porttests;

import static dev.mayfly.porttests.DocumentFixtures.T0;
import static dev.mayfly.porttests.DocumentFixtures.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link Ledger} for watches of change signals, with an empty ledger for each test.
 */
public abstract class LedgerWatchContract {
  /** The ledger under test; always the same. */
  protected abstract Ledger ledger();

  /**
   * The next observed change signal, or null if none arrives within the adapter's promised time.
   * Advances virtual time.
   */
  protected @Nullable ChangeSignal next(BlockingQueue<ChangeSignal> told)
      throws InterruptedException {
    return told.poll(120, TimeUnit.SECONDS);
  }

  /**
   * Returns once the open watch has its stream. Nothing by default: whatever changes after {@link
   * Ledger#watch} is told. An adapter overrides it whose server, and not the adapter, may miss a
   * change while it starts a stream.
   *
   * @param told of a watch that was opened after a change, whose signal it consumes
   */
  protected void awaitStream(BlockingQueue<ChangeSignal> told) throws InterruptedException {}

  @Test
  void watchStartsWithCurrentSignal() throws InterruptedException {
    ring("c", 1);
    var told = new LinkedBlockingQueue<ChangeSignal>();

    try (var _ = ledger().watch("c", told::add)) {
      assertThat(until(told, p -> p.work().equals(at(1)))).isPresent();
    }
  }

  @Test
  void watchReportsLastChange() throws InterruptedException {
    var told = new LinkedBlockingQueue<ChangeSignal>();

    ring("c", 0);
    try (var _ = ledger().watch("c", told::add)) {
      awaitStream(told);
      for (var i = 1; i <= 20; i++) ring("c", i);

      assertThat(until(told, p -> p.work().equals(at(20))))
          .hasValueSatisfying(last -> assertThat(last.workers()).containsKeys("w-1", "w-20"));
    }
  }

  @Test
  void twoWatchesBothReport() throws InterruptedException {
    var one = new LinkedBlockingQueue<ChangeSignal>();
    var two = new LinkedBlockingQueue<ChangeSignal>();

    ring("c", 0);
    try (var _ = ledger().watch("c", one::add);
        var _ = ledger().watch("c", two::add)) {
      awaitStream(one);
      awaitStream(two);
      ring("c", 7);

      assertThat(until(one, p -> p.work().equals(at(7)))).isPresent();
      assertThat(until(two, p -> p.work().equals(at(7)))).isPresent();
    }
  }

  @Test
  void watchIgnoresOtherClusters() throws InterruptedException {
    var told = new LinkedBlockingQueue<ChangeSignal>();

    ring("c", 0);
    try (var _ = ledger().watch("c", told::add)) {
      awaitStream(told);
      ring("other", 1);
      ring("c", 2);

      assertThat(until(told, p -> p.work().equals(at(2)))).isPresent();
      assertThat(told).allMatch(p -> p.cluster().equals("c"));
    }
  }

  @Test
  void closedWatchIsSilent() throws InterruptedException {
    var closed = new LinkedBlockingQueue<ChangeSignal>();
    var open = new LinkedBlockingQueue<ChangeSignal>();
    ring("c", 0);
    var watch = ledger().watch("c", closed::add);
    watch.close();
    watch.close();
    closed.clear();

    try (var _ = ledger().watch("c", open::add)) {
      awaitStream(open);
      ring("c", 3);

      assertThat(until(open, p -> p.work().equals(at(3)))).isPresent();
      assertThat(closed).noneMatch(p -> p.work().equals(at(3)));
    }
  }

  private void ring(String cluster, int second) {
    ledger()
        .commit(List.of(new LedgerWrite.Signal(cluster, at(second), true, List.of("w-" + second))));
  }

  private Optional<ChangeSignal> until(
      BlockingQueue<ChangeSignal> told, Predicate<ChangeSignal> wanted)
      throws InterruptedException {
    for (var changeSignal = next(told); changeSignal != null; changeSignal = next(told)) {
      assertThat(changeSignal.work()).isAfterOrEqualTo(T0.minusSeconds(1));
      if (wanted.test(changeSignal)) return Optional.of(changeSignal);
    }
    return Optional.empty();
  }
}
