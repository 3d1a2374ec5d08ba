package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.Optional;

/**
 * {@code clusters/{uid}/jobs/{job}/additions/{id}}: tasks that a message added to an open job. It
 * is created with them, so that a repeat of the message adds nothing.
 *
 * @param id chosen by the sender, or the message's
 * @param first the index of its first task; the others follow it
 * @param hash of its tasks, so that other tasks with its id are refused; absent in documents from
 *     before that
 */
public record TaskAddition(
    String cluster,
    String job,
    String id,
    long first,
    long count,
    Instant at,
    Optional<String> hash)
    implements LedgerDocument {
  @Override
  public DocumentKey.OfTaskAddition key() {
    return new DocumentKey.OfTaskAddition(cluster, job, id);
  }
}
