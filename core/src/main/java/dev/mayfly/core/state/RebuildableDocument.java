package dev.mayfly.core.state;

import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import java.util.Optional;

/**
 * A document that holds only what Mayfly finds out again by itself: whose turn it is, signals, when
 * syncs were served, what was refused of late. One that cannot be read is written anew, and nobody
 * has to mend it.
 *
 * @param broken whether it is there and cannot be read
 */
public record RebuildableDocument<D extends LedgerDocument>(
    Optional<VersionedDocument<D>> stored, boolean broken) {
  public static <D extends LedgerDocument> RebuildableDocument<D> read(
      Ledger ledger, DocumentKey<D> documentKey) {
    try {
      return new RebuildableDocument<>(ledger.read(documentKey), false);
    } catch (UnreadableDocumentException unknown) {
      return new RebuildableDocument<>(Optional.empty(), true);
    }
  }

  public Optional<D> value() {
    return stored.map(VersionedDocument::value);
  }

  /** What replaces it, on the condition that nobody changed it meanwhile; a broken one anyway. */
  public LedgerWrite replaceWith(D next) {
    if (broken) return new LedgerWrite.Put(next);
    return stored
        .<LedgerWrite>map(s -> new LedgerWrite.Update(next, s.version()))
        .orElseGet(() -> new LedgerWrite.Create(next));
  }
}
