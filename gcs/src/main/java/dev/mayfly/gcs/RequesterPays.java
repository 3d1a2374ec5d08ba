package dev.mayfly.gcs;

import com.google.cloud.storage.StorageException;
import dev.mayfly.core.port.ObjectUrl;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Requester pays buckets, which charge the caller's project. The payer is sent to these buckets
 * only, because naming it requires a separate permission. A bucket is recognized when it refuses a
 * request without a payer.
 */
final class RequesterPays {
  private final String project;
  private final Set<String> buckets = ConcurrentHashMap.newKeySet();

  /**
   * @param project to charge, or blank
   */
  RequesterPays(String project) {
    this.project = project;
  }

  /** The project to name in requests about the place. */
  Optional<String> payerFor(ObjectUrl place) {
    return buckets.contains(place.root()) ? Optional.of(project) : Optional.empty();
  }

  /**
   * Whether to repeat the request, because it will now name the payer.
   *
   * @param named the payer in the refused request
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
