package dev.mayfly.core.model;

import java.time.Instant;
import java.util.Optional;

/**
 * {@code …/names/job.NAME}: which job has the name, and a stop that came before its job.
 *
 * @param job the newest job of that name, while it lives and afterwards; empty for a tombstone
 *     alone
 * @param hash of that job's content
 * @param live whether that job has not ended: a live name is taken
 * @param stoppedBefore jobs of the name that were published before this are stopped at birth
 */
public record JobName(
    String cluster,
    String name,
    Optional<String> job,
    String hash,
    boolean live,
    Optional<Instant> stoppedBefore)
    implements Document {
  @Override
  public Key.OfJobName key() {
    return new Key.OfJobName(cluster, name);
  }
}
