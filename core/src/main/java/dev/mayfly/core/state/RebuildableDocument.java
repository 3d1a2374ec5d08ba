package dev.mayfly.core.state;

import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.util.Optional;

/**
 * A document whose content Mayfly can rebuild: the job queue, signals, served intervals, recent
 * refusals. An unreadable one is replaced; no person has to fix it.
 *
 * @param broken whether it exists and is unreadable
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

  /**
   * The write that replaces it, conditional on its version; a broken one is replaced
   * unconditionally.
   */
  public LedgerWrite replaceWith(D next) {
    if (broken) return new LedgerWrite.Put(next);
    return stored
        .<LedgerWrite>map(s -> new LedgerWrite.Update(next, s.version()))
        .orElseGet(() -> new LedgerWrite.Create(next));
  }
}
