package dev.mayfly.agent.logs;

import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.Wire;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * The history of an attempt's metrics. Each object has all of it, because agents may create objects
 * and not replace them: the one with the highest number counts.
 */
final class MetricsPieces implements StoredPieces {
  private final StoredHistory metrics;
  private final ObjectStore objectStore;
  private final IntFunction<ObjectUrl> place;
  private int next;
  private long sent;

  MetricsPieces(StoredHistory metrics, ObjectStore objectStore, IntFunction<ObjectUrl> place) {
    this.metrics = metrics;
    this.objectStore = objectStore;
    this.place = place;
  }

  @Override
  public boolean untouched() {
    return metrics.added() == 0;
  }

  @Override
  public boolean hasNew() {
    return metrics.added() > sent;
  }

  @Override
  public boolean overflowing() {
    return false;
  }

  @Override
  public void send() {
    // Counted first: what is added meanwhile is sent again rather than never.
    var added = metrics.added();
    if (added == sent) return;
    var content = ObjectStore.Content.of(Wire.shared().metrics(metrics.rows()));
    while (objectStore.create(place.apply(next++), content, Map.of()) instanceof Creation.Exists) {
      // An agent that was restarted goes on behind what is there.
    }
    sent = added;
  }

  @Override
  public void finish() {
    send();
  }

  @Override
  public void giveUp() {}
}
