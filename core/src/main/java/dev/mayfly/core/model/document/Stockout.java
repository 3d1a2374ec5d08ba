package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code stockouts/{zone+type}}: when the cloud last refused, newest last, 20 at most.
 *
 * @param code the cloud's own word for it
 * @param said the cloud's own sentence of the last time; absent if it said none
 */
public record Stockout(
    String zone, String machineType, String code, List<Instant> seen, Optional<String> said)
    implements LedgerDocument {
  public Stockout {
    seen = List.copyOf(seen);
  }

  @Override
  public DocumentKey.OfStockout key() {
    return new DocumentKey.OfStockout(zone, machineType);
  }
}
