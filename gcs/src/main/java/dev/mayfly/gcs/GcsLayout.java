package dev.mayfly.gcs;

import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.storage.model.BucketStorageLayout;
import com.google.cloud.http.HttpTransportOptions;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Location;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Asks where a bucket is. By its storage layout, which everybody may read who may list its objects:
 * reading the bucket itself is another right, and nobody here has it.
 */
final class GcsLayout {
  private GcsLayout() {}

  static Optional<Location> of(Storage storage, Url place) {
    try {
      var layout = asked(storage, GcsBlobs.bucket(place));
      var chosen = layout.getCustomPlacementConfig();
      List<String> regions =
          chosen == null || chosen.getDataLocations() == null
              ? List.of()
              : chosen.getDataLocations();
      return layout.getLocation() == null
          ? Optional.empty()
          : Location.of(layout.getLocation(), regions);
    } catch (GoogleJsonResponseException e) {
      throw GcsFailures.of(place, StorageException.translate(e));
    } catch (IOException e) {
      throw new Unavailable(place + ": Cloud Storage did not answer: " + e.getMessage(), e);
    }
  }

  private static BucketStorageLayout asked(Storage storage, String bucket) throws IOException {
    var options = storage.getOptions();
    var http = (HttpTransportOptions) options.getTransportOptions();
    return new com.google.api.services.storage.Storage.Builder(
            http.getHttpTransportFactory().create(),
            GsonFactory.getDefaultInstance(),
            http.getHttpRequestInitializer(options))
        .setRootUrl(options.getHost().endsWith("/") ? options.getHost() : options.getHost() + "/")
        .setApplicationName("mayfly")
        .build()
        .buckets()
        .getStorageLayout(bucket)
        .execute();
  }
}
