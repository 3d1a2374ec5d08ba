package dev.mayfly.core.port;

import dev.mayfly.core.model.document.DocumentKey;
import java.util.List;

/** The result of committing a batch. */
public sealed interface CommitResult {
  /**
   * The whole batch was written.
   *
   * @param versions of the written documents, in the order of the writes; an empty text for a
   *     delete
   */
  record Done(List<String> versions) implements CommitResult {
    public Done {
      versions = List.copyOf(versions);
    }
  }

  /** Nothing was written, because of this document (one of them, if there are several). */
  record Conflict(DocumentKey<?> key) implements CommitResult {}

  default boolean done() {
    return this instanceof Done;
  }
}
