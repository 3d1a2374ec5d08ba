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
 * Asks where a bucket is. By its storage layout, which everybody may read who may list its objects:
 * reading the bucket itself is another right, and nobody here has it.
 */
final class BucketLocator {
  private BucketLocator() {}

  static Optional<StorageLocation> of(GcsClient client, ObjectUrl place) {
    var layout = asked(client, place);
    var chosen = layout.getCustomPlacementConfig();
    List<String> regions =
        chosen == null || chosen.getDataLocations() == null ? List.of() : chosen.getDataLocations();
    return layout.getLocation() == null
        ? Optional.empty()
        : StorageLocation.of(layout.getLocation(), regions);
  }

  private static BucketStorageLayout asked(GcsClient client, ObjectUrl place) {
    var payer = client.payer(place);
    try {
      return retried(client, place, payer);
    } catch (StorageException e) {
      if (client.learnPayer(place, payer, e)) return asked(client, place);
      throw GcsErrors.of(place, e);
    }
  }

  private static BucketStorageLayout retried(
      GcsClient client, ObjectUrl place, Optional<String> payer) {
    var options = client.storage().getOptions();
    try {
      return RetryHelper.runWithRetries(
          () -> sent(client, place, payer),
          options.getRetrySettings(),
          StorageRetryStrategy.getUniformStorageRetryStrategy().getIdempotentHandler(),
          options.getClock());
    } catch (RetryHelper.RetryHelperException e) {
      throw translated(e);
    }
  }

  private static BucketStorageLayout sent(GcsClient client, ObjectUrl place, Optional<String> payer)
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
