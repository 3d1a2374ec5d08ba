package dev.mayfly.core.control;

import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.Optional;

/**
 * A document that holds only what Mayfly finds out again by itself: whose turn it is, signals, when
 * syncs were served, what was refused of late. One that cannot be read is written anew, and nobody
 * has to mend it.
 *
 * @param broken whether it is there and cannot be read
 */
record Renewable<D extends Document>(Optional<Stored<D>> stored, boolean broken) {
  static <D extends Document> Renewable<D> read(Ledger ledger, Key<D> key) {
    try {
      return new Renewable<>(ledger.read(key), false);
    } catch (Unreadable unknown) {
      return new Renewable<>(Optional.empty(), true);
    }
  }

  Optional<D> value() {
    return stored.map(Stored::value);
  }

  /** What replaces it, on the condition that nobody changed it meanwhile; a broken one anyway. */
  Write next(D next) {
    if (broken) return new Write.Put(next);
    return stored
        .<Write>map(s -> new Write.Update(next, s.version()))
        .orElseGet(() -> new Write.Create(next));
  }
}
