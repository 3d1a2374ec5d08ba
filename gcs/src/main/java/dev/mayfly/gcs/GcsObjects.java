package dev.mayfly.gcs;

import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobGetOption;
import com.google.cloud.storage.Storage.BlobSourceOption;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Location;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cloud Storage through the official client, for {@code gs://…}.
 *
 * <p>The client repeats what failed in a way that may pass, with pauses drawn at random, for {@link
 * StoreSettings#retryLimit} at most.
 */
final class GcsObjects implements Objects {
  private final GcsClient client;

  GcsObjects(StoreSettings settings) {
    client = new GcsClient(settings);
  }

  /** A request of which the service may want to know who pays. */
  private interface Request<T> {
    T send(Storage storage, Optional<String> payer);
  }

  private <T> T sent(Url url, Request<T> request) {
    var payer = client.payer(url);
    try {
      return request.send(client.storage(), payer);
    } catch (StorageException e) {
      if (!client.learnPayer(url, payer, e)) throw e;
      return request.send(client.storage(), client.payer(url));
    }
  }

  private <T> T guarded(Url url, Request<T> request) {
    try {
      return sent(url, request);
    } catch (StorageException e) {
      throw GcsFailures.of(url, e);
    }
  }

  @Override
  public Optional<ObjectInfo> find(Url url) {
    return guarded(
        url,
        (storage, payer) -> {
          var options = new ArrayList<>(List.of(BlobGetOption.fields(GcsBlobs.GET_FIELDS)));
          payer.map(BlobGetOption::userProject).ifPresent(options::add);
          var there = storage.get(GcsBlobs.id(url), options.toArray(BlobGetOption[]::new));
          return Optional.ofNullable(there).map(GcsBlobs::info);
        });
  }

  @Override
  public Optional<byte[]> read(Url url, int cap) {
    var opened = open(url);
    if (opened.isEmpty()) return Optional.empty();
    try (var in = opened.get()) {
      return Optional.of(Capped.read(url, in, cap));
    } catch (IOException e) {
      throw new Unavailable(url + ": reading broke off: " + e.getMessage(), e);
    }
  }

  @Override
  public Optional<InputStream> open(Url url) {
    return GcsStream.open(client, url);
  }

  @Override
  public Creation create(Url url, Content content, Map<String, String> metadata) {
    var upload = GcsUpload.of(url, content, metadata);
    // An object that refused us and is gone when we look was deleted meanwhile: try again.
    for (var tries = 0; tries < 3; tries++) {
      try {
        return new Creation.Created(put(upload, GcsUpload.NONE));
      } catch (StorageException e) {
        if (!refusedByAnother(e)) throw GcsFailures.of(url, e);
        var there = find(url);
        if (there.isPresent())
          return upload.made(there.get())
              ? new Creation.Created(there.get())
              : new Creation.Exists(there.get());
        if (e.getCode() == 403) throw GcsFailures.of(url, e);
      }
    }
    throw new Unavailable(url + " came and went while it was created; try again");
  }

  /**
   * What the service says that it has is compared, for a sentinel will vouch for it: after a broken
   * connection the client believes any size.
   */
  private ObjectInfo put(GcsUpload upload, long generation) {
    var stored =
        sent(
            upload.url(),
            (storage, payer) -> GcsBlobs.info(upload.send(storage, generation, payer)));
    upload.check(stored);
    return stored;
  }

  /**
   * Whether an object that is there may be the reason. Who may create and not delete is denied a
   * creation where something is; the end of an upload in pieces does not tell which right it lacks.
   */
  private static boolean refusedByAnother(StorageException e) {
    return e.getCode() == 412 || e.getCode() == 403;
  }

  @Override
  public Replacement replace(
      Url url, Content content, Map<String, String> metadata, long generation) {
    if (generation == GcsUpload.NONE)
      throw new IllegalArgumentException(url + ": no generation to replace");
    var upload = GcsUpload.of(url, content, metadata);
    try {
      return new Replacement.Replaced(put(upload, generation));
    } catch (StorageException e) {
      if (e.getCode() != 412) throw GcsFailures.of(url, e);
    }
    var there = find(url);
    var ours = there.filter(o -> o.generation() != generation).filter(upload::made);
    return ours.<Replacement>map(Replacement.Replaced::new)
        .orElseGet(() -> new Replacement.Changed(there));
  }

  @Override
  public boolean delete(Url url, long generation) {
    var exact = BlobId.of(GcsBlobs.bucket(url), url.name(), generation);
    try {
      return sent(
          url,
          (storage, payer) -> {
            var options = new ArrayList<>(List.of(BlobSourceOption.generationMatch()));
            payer.map(BlobSourceOption::userProject).ifPresent(options::add);
            return storage.delete(exact, options.toArray(BlobSourceOption[]::new));
          });
    } catch (StorageException e) {
      if (e.getCode() == 412) return false;
      throw GcsFailures.of(url, e);
    }
  }

  @Override
  public ObjectPage list(Url prefix, String after, int limit) {
    var size = ObjectPage.size(limit);
    return guarded(prefix, (storage, payer) -> GcsListing.of(storage, prefix, after, size, payer));
  }

  @Override
  public Optional<Location> location(Url place) {
    return GcsLayout.of(client, place);
  }
}
