package dev.mayfly.local.ledger;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.port.Ledger;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies one listener of one cluster's change signal on a separate thread; concurrent
 * notifications are merged.
 */
final class SqliteChangeWatch implements Ledger.Watch, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteChangeWatch.class);

  private final String cluster;
  private final Supplier<Optional<ChangeSignal>> changeSignal;
  private final Consumer<ChangeSignal> listener;
  private final Consumer<SqliteChangeWatch> ended;
  private final Semaphore rings = new Semaphore(1);
  private volatile boolean open = true;

  SqliteChangeWatch(
      String cluster,
      Supplier<Optional<ChangeSignal>> changeSignal,
      Consumer<ChangeSignal> listener,
      Consumer<SqliteChangeWatch> ended) {
    this.cluster = cluster;
    this.changeSignal = changeSignal;
    this.listener = listener;
    this.ended = ended;
  }

  void changed(String of) {
    if (of.equals(cluster)) rings.release();
  }

  @Override
  public void run() {
    while (open) {
      rings.acquireUninterruptibly();
      rings.drainPermits();
      if (open) deliver();
    }
  }

  /**
   * A change signal that cannot be read is delivered with the next notification. Nothing relies on
   * it.
   */
  private void deliver() {
    try {
      var read = changeSignal.get();
      if (open) read.ifPresent(listener);
    } catch (UnavailableException e) {
      LOG.warn("The change signal of cluster {} was not read: {}", cluster, e.getMessage());
    }
  }

  @Override
  public void close() {
    open = false;
    rings.release();
    ended.accept(this);
  }
}
