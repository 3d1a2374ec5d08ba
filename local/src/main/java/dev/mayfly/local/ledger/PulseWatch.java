package dev.mayfly.local.ledger;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.port.Ledger;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one listener of one cluster's pulse, on a thread of its own; rings that come meanwhile are
 * one.
 */
final class PulseWatch implements Ledger.Watch, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PulseWatch.class);

  private final String cluster;
  private final Supplier<Optional<Pulse>> pulse;
  private final Consumer<Pulse> listener;
  private final Consumer<PulseWatch> ended;
  private final Semaphore rings = new Semaphore(1);
  private volatile boolean open = true;

  PulseWatch(
      String cluster,
      Supplier<Optional<Pulse>> pulse,
      Consumer<Pulse> listener,
      Consumer<PulseWatch> ended) {
    this.cluster = cluster;
    this.pulse = pulse;
    this.listener = listener;
    this.ended = ended;
  }

  void ring(String of) {
    if (of.equals(cluster)) rings.release();
  }

  @Override
  public void run() {
    while (open) {
      rings.acquireUninterruptibly();
      rings.drainPermits();
      if (open) tell();
    }
  }

  /** A pulse that cannot be read now is told at the next ring: it is news, never the truth. */
  private void tell() {
    try {
      var read = pulse.get();
      if (open) read.ifPresent(listener);
    } catch (Unavailable e) {
      LOG.warn("The pulse of cluster {} was not read: {}", cluster, e.getMessage());
    }
  }

  @Override
  public void close() {
    open = false;
    rings.release();
    ended.accept(this);
  }
}
