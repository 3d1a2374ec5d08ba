package dev.mayfly.core.port;

import dev.mayfly.core.model.document.DocumentKey;
import java.util.List;

/** What became of a batch. */
public sealed interface CommitResult {
  /**
   * All of it was written.
   *
   * @param versions of the documents written, in the order of the writes; empty text for a delete
   */
  record Done(List<String> versions) implements CommitResult {
    public Done {
      versions = List.copyOf(versions);
    }
  }

  /** Nothing was written, because of this document (one of them, if it was more). */
  record Conflict(DocumentKey<?> key) implements CommitResult {}

  default boolean done() {
    return this instanceof Done;
  }
}
