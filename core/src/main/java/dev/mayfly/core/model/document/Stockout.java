package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.List;

/**
 * {@code stockouts/{zone+type}}: when the cloud last refused, newest last, 20 at most.
 *
 * @param code the cloud's own word for it
 */
public record Stockout(String zone, String machineType, String code, List<Instant> seen)
    implements LedgerDocument {
  public Stockout {
    seen = List.copyOf(seen);
  }

  @Override
  public DocumentKey.OfStockout key() {
    return new DocumentKey.OfStockout(zone, machineType);
  }
}
