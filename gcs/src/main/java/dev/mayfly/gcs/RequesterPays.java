package dev.mayfly.gcs;

import com.google.cloud.storage.StorageException;
import dev.mayfly.core.port.ObjectUrl;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Buckets whose users pay for what they ask. Only such a bucket is sent the project that pays,
 * since naming it is a right of its own; which bucket is one shows when it refuses a request
 * without it.
 */
final class RequesterPays {
  private final String project;
  private final Set<String> buckets = ConcurrentHashMap.newKeySet();

  /**
   * @param project that pays, or blank
   */
  RequesterPays(String project) {
    this.project = project;
  }

  /** The project to name in requests about the place. */
  Optional<String> payerFor(ObjectUrl place) {
    return buckets.contains(place.root()) ? Optional.of(project) : Optional.empty();
  }

  /**
   * Whether the request can be repeated, because from now on it names who pays.
   *
   * @param named who paid for the request that was refused
   */
  boolean learn(ObjectUrl place, Optional<String> named, StorageException refusal) {
    if (named.isPresent() || project.isBlank() || !wanted(refusal)) return false;
    buckets.add(place.root());
    return true;
  }

  static boolean wanted(StorageException refusal) {
    return refusal.getCode() == 400
        && String.valueOf(refusal.getMessage()).toLowerCase(Locale.ROOT).contains("requester pays");
  }
}
