package dev.mayfly.core.port;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import java.time.Instant;
import java.util.List;

/** One change in a batch. */
public sealed interface LedgerWrite {
  DocumentKey<?> key();

  /** Conflicts if the document exists. */
  record Create(LedgerDocument document) implements LedgerWrite {
    @Override
    public DocumentKey<?> key() {
      return document.key();
    }
  }

  /** Conflicts unless the document exists with that version. */
  record Update(LedgerDocument document, String version) implements LedgerWrite {
    @Override
    public DocumentKey<?> key() {
      return document.key();
    }
  }

  /** Never conflicts: for documents with one writer, and for those that only people read. */
  record Put(LedgerDocument document) implements LedgerWrite {
    @Override
    public DocumentKey<?> key() {
      return document.key();
    }
  }

  /** Never conflicts; a missing document is not an error. */
  record Delete(DocumentKey<?> key) implements LedgerWrite {}

  /**
   * Wakes pending syncs: merges into the cluster's change signal, and creates it if missing. Never
   * conflicts.
   *
   * @param work whether new work appeared
   * @param workers the workers that have new orders
   * @param prompt whether a person waits for its effect, as after a job's submission
   */
  record Signal(String cluster, Instant at, boolean work, List<String> workers, boolean prompt)
      implements LedgerWrite {
    public Signal {
      workers = List.copyOf(workers);
    }

    /** A signal that may come within a second. */
    public Signal(String cluster, Instant at, boolean work, List<String> workers) {
      this(cluster, at, work, workers, false);
    }

    @Override
    public DocumentKey<?> key() {
      return new DocumentKey.OfChangeSignal(cluster);
    }
  }
}
