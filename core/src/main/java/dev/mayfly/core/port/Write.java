package dev.mayfly.core.port;

import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import java.time.Instant;
import java.util.List;

/** One change in a batch. */
public sealed interface Write {
  Key<?> key();

  /** Conflicts if the document is there. */
  record Create(Document document) implements Write {
    @Override
    public Key<?> key() {
      return document.key();
    }
  }

  /** Conflicts unless the document is there with that version. */
  record Update(Document document, String version) implements Write {
    @Override
    public Key<?> key() {
      return document.key();
    }
  }

  /** Never conflicts: for documents with one writer, and for what only people read. */
  record Put(Document document) implements Write {
    @Override
    public Key<?> key() {
      return document.key();
    }
  }

  /** Never conflicts; a document that is not there is no error. */
  record Delete(Key<?> key) implements Write {}

  /**
   * Wakes waiting calls: merges into the cluster's pulse, which is made if it is not there. Never
   * conflicts.
   *
   * @param work whether work appeared
   * @param workers the workers that have new orders
   */
  record Notify(String cluster, Instant at, boolean work, List<String> workers) implements Write {
    public Notify {
      workers = List.copyOf(workers);
    }

    @Override
    public Key<?> key() {
      return new Key.OfPulse(cluster);
    }
  }
}
