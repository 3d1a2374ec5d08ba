package dev.mayfly.core.error;

/**
 * A ledger document that cannot be read.
 *
 * @param path its path in the ledger, for example {@code clusters/c-1/workers/w}
 * @param cause which field, what was found in it and what is allowed
 * @param store where a person finds it: {@code Firestore, project lab}
 */
public record UnreadableDocument(String path, String cause, String store) {
  /** The last part of its path: a cluster's or a job's uid, a worker's name. */
  public String id() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return "the document %s cannot be read: %s; fix that field by hand in %s"
        .formatted(path, cause, store);
  }
}
