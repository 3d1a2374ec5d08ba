package dev.mayfly.core.model.document;

import java.time.Instant;

/**
 * {@code …/events/{id}}: what happened and why, for people. No decision depends on events.
 *
 * @param about the kind and name, for example {@code worker/v4-7f3a} or {@code job/reddit}
 * @param what one word: {@code received, launched, ready, lost, preempted, drained, deleted,
 *     accepted, ended…}
 */
public record EventRecord(
    String cluster, String id, Instant at, String about, String what, String why)
    implements LedgerDocument {
  @Override
  public DocumentKey.OfEventRecord key() {
    return new DocumentKey.OfEventRecord(cluster, id);
  }
}
