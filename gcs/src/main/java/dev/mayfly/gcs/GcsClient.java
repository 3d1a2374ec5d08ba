package dev.mayfly.gcs;

import com.google.api.client.json.gson.GsonFactory;
import com.google.api.gax.retrying.RetrySettings;
import com.google.auth.Credentials;
import com.google.cloud.NoCredentials;
import com.google.cloud.http.HttpTransportOptions;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageException;
import com.google.cloud.storage.StorageOptions;
import com.google.cloud.storage.StorageRetryStrategy;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The official client, created at the first call, because that takes a large part of a second. */
final class GcsClient {
  private final StoreSettings settings;
  private final RequesterPays payers;
  private volatile @Nullable Clients clients;

  /**
   * @param storage the public client
   * @param rest its lower layer, in which each call is one request
   */
  private record Clients(
      Storage storage, com.google.api.services.storage.Storage rest, DirectUpload direct) {}

  GcsClient(StoreSettings settings) {
    this.settings = settings;
    this.payers = new RequesterPays(settings.project());
  }

  Storage storage() {
    return shared().storage();
  }

  com.google.api.services.storage.Storage rest() {
    return shared().rest();
  }

  /** What a single request stored; empty if the upload has to be sent by {@link #storage}. */
  Optional<ObjectInfo> direct(GcsUpload upload, long generation, Optional<String> payer) {
    return upload.isSmall() ? shared().direct().send(upload, generation, payer) : Optional.empty();
  }

  /**
   * The project to charge for requests about the place, if its bucket is a requester pays bucket.
   */
  Optional<String> payer(ObjectUrl place) {
    return payers.payerFor(place);
  }

  /**
   * Whether to repeat the refused request, because it will now name the payer.
   *
   * @param named the payer in the refused request
   */
  boolean learnPayer(ObjectUrl place, Optional<String> named, StorageException refusal) {
    return payers.learn(place, named, refusal);
  }

  ProgressDeadline deadline() {
    return new ProgressDeadline(settings.retryLimit());
  }

  private Clients shared() {
    var there = clients;
    if (there != null) return there;
    synchronized (this) {
      var mine = clients;
      if (mine == null) clients = mine = make();
      return mine;
    }
  }

  private Clients make() {
    var options =
        StorageOptions.http()
            .setProjectId(settings.project().isBlank() ? "mayfly" : settings.project())
            .setRetrySettings(retries())
            // All calls are idempotent: creations, replacements and deletions carry a generation.
            .setStorageRetryStrategy(StorageRetryStrategy.getUniformStorageRetryStrategy());
    settings.endpoint().ifPresent(e -> options.setHost(e.toString()).setCredentials(credentials()));
    var storage = options.build().getService();
    var made = storage.getOptions();
    var login =
        Optional.ofNullable(made.getScopedCredentials())
            .filter(it -> !(it instanceof NoCredentials));
    return new Clients(storage, rest(made), new DirectUpload(made.getHost(), login));
  }

  private static com.google.api.services.storage.Storage rest(StorageOptions options) {
    var http = (HttpTransportOptions) options.getTransportOptions();
    return new com.google.api.services.storage.Storage.Builder(
            http.getHttpTransportFactory().create(),
            GsonFactory.getDefaultInstance(),
            http.getHttpRequestInitializer(options))
        .setRootUrl(options.getHost().endsWith("/") ? options.getHost() : options.getHost() + "/")
        .setApplicationName("mayfly")
        .build();
  }

  /** For an endpoint other than Google's. */
  private Credentials credentials() {
    var endpoint = settings.endpoint().map(URI::toString).orElse("");
    return settings
        .token()
        .<Credentials>map(it -> new EndpointCredentials(endpoint, it))
        .orElseGet(NoCredentials::getInstance);
  }

  /** Pauses are random, with these bounds. */
  private RetrySettings retries() {
    return RetrySettings.newBuilder()
        .setInitialRetryDelayDuration(Duration.ofMillis(200))
        .setRetryDelayMultiplier(2)
        .setMaxRetryDelayDuration(Duration.ofSeconds(5))
        .setTotalTimeoutDuration(settings.retryLimit())
        .setMaxAttempts(8)
        .build();
  }
}
