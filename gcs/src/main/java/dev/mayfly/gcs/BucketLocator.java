package dev.mayfly.gcs;

import com.google.api.client.http.HttpResponseException;
import com.google.api.services.storage.model.BucketStorageLayout;
import com.google.cloud.RetryHelper;
import com.google.cloud.storage.StorageException;
import com.google.cloud.storage.StorageRetryStrategy;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Finds a bucket's location by its storage layout, which everyone who may list the bucket's objects
 * may read. Reading the bucket itself is a separate permission, which Mayfly's accounts lack.
 */
final class BucketLocator {
  private BucketLocator() {}

  static Optional<StorageLocation> of(GcsClient client, ObjectUrl place) {
    var layout = fetch(client, place);
    var chosen = layout.getCustomPlacementConfig();
    List<String> regions =
        chosen == null || chosen.getDataLocations() == null ? List.of() : chosen.getDataLocations();
    return layout.getLocation() == null
        ? Optional.empty()
        : StorageLocation.of(layout.getLocation(), regions);
  }

  private static BucketStorageLayout fetch(GcsClient client, ObjectUrl place) {
    var payer = client.payer(place);
    try {
      return fetchWithRetries(client, place, payer);
    } catch (StorageException e) {
      if (client.learnPayer(place, payer, e)) return fetch(client, place);
      throw GcsErrors.of(place, e);
    }
  }

  private static BucketStorageLayout fetchWithRetries(
      GcsClient client, ObjectUrl place, Optional<String> payer) {
    var options = client.storage().getOptions();
    try {
      return RetryHelper.runWithRetries(
          () -> send(client, place, payer),
          options.getRetrySettings(),
          StorageRetryStrategy.getUniformStorageRetryStrategy().getIdempotentHandler(),
          options.getClock());
    } catch (RetryHelper.RetryHelperException e) {
      throw translated(e);
    }
  }

  private static BucketStorageLayout send(GcsClient client, ObjectUrl place, Optional<String> payer)
      throws IOException {
    var request = client.rest().buckets().getStorageLayout(BlobMapper.bucket(place));
    payer.ifPresent(project -> request.set("userProject", project));
    return request.execute();
  }

  private static StorageException translated(RetryHelper.RetryHelperException e) {
    return switch (e.getCause()) {
      case HttpResponseException refused -> StorageException.translate(refused);
      case IOException broken -> StorageException.translate(broken);
      case null, default -> new StorageException(0, e.getMessage(), e);
    };
  }
}
