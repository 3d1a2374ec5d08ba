package dev.mayfly.gcs;

import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.NoCredentials;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageOptions;
import com.google.cloud.storage.StorageRetryStrategy;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The official client, made at the first call: it takes a good part of a second. */
final class GcsClient implements Supplier<Storage> {
  private final StoreSettings settings;
  private volatile @Nullable Storage storage;

  GcsClient(StoreSettings settings) {
    this.settings = settings;
  }

  @Override
  public Storage get() {
    var made = storage;
    if (made != null) return made;
    synchronized (this) {
      var mine = storage;
      if (mine == null) storage = mine = make();
      return mine;
    }
  }

  private Storage make() {
    var options =
        StorageOptions.http()
            .setProjectId(settings.project())
            .setRetrySettings(retries())
            // Every call that is made here may be repeated: creations and deletions carry a
            // generation.
            .setStorageRetryStrategy(StorageRetryStrategy.getUniformStorageRetryStrategy());
    settings
        .endpoint()
        .ifPresent(e -> options.setHost(e.toString()).setCredentials(NoCredentials.getInstance()));
    return options.build().getService();
  }

  /** The pauses are drawn at random below these bounds. */
  private static RetrySettings retries() {
    return RetrySettings.newBuilder()
        .setInitialRetryDelayDuration(Duration.ofMillis(200))
        .setRetryDelayMultiplier(2)
        .setMaxRetryDelayDuration(Duration.ofSeconds(5))
        .setTotalTimeoutDuration(Duration.ofSeconds(40))
        .setMaxAttempts(8)
        .build();
  }
}
