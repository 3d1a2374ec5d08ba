package dev.mayfly.gcs;

import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobGetOption;
import com.google.cloud.storage.Storage.BlobSourceOption;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cloud Storage through the official client, for {@code gs://…}.
 *
 * <p>The client retries transient errors, with random pauses, for at most {@link
 * StoreSettings#retryLimit}.
 */
final class GcsObjectStore implements ObjectStore {
  private final GcsClient client;

  GcsObjectStore(StoreSettings settings) {
    client = new GcsClient(settings);
  }

  /** A request that may have to name a payer. */
  private interface Request<T> {
    T send(Storage storage, Optional<String> payer);
  }

  private <T> T sent(ObjectUrl objectUrl, Request<T> request) {
    var payer = client.payer(objectUrl);
    try {
      return request.send(client.storage(), payer);
    } catch (StorageException e) {
      if (!client.learnPayer(objectUrl, payer, e)) throw e;
      return request.send(client.storage(), client.payer(objectUrl));
    }
  }

  private <T> T guarded(ObjectUrl objectUrl, Request<T> request) {
    try {
      return sent(objectUrl, request);
    } catch (StorageException e) {
      throw GcsErrors.of(objectUrl, e);
    }
  }

  @Override
  public Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    return guarded(
        objectUrl,
        (storage, payer) -> {
          var options = new ArrayList<>(List.of(BlobGetOption.fields(BlobMapper.GET_FIELDS)));
          payer.map(BlobGetOption::userProject).ifPresent(options::add);
          var there = storage.get(BlobMapper.id(objectUrl), options.toArray(BlobGetOption[]::new));
          return Optional.ofNullable(there).map(BlobMapper::info);
        });
  }

  @Override
  public Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    var opened = open(objectUrl);
    if (opened.isEmpty()) return Optional.empty();
    try (var in = opened.get()) {
      return Optional.of(BoundedReader.read(objectUrl, in, cap));
    } catch (IOException e) {
      throw new UnavailableException(objectUrl + ": reading failed: " + e.getMessage(), e);
    }
  }

  @Override
  public Optional<InputStream> open(ObjectUrl objectUrl) {
    return ResumingInputStream.open(client, objectUrl);
  }

  @Override
  public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    var upload = GcsUpload.of(objectUrl, content, metadata);
    // An object that caused the refusal and is gone now was deleted meanwhile: try again.
    for (var tries = 0; tries < 3; tries++) {
      try {
        return new Creation.Created(put(upload, GcsUpload.NONE));
      } catch (StorageException e) {
        if (!refusedByAnother(e)) throw GcsErrors.of(objectUrl, e);
        var there = find(objectUrl);
        if (there.isPresent())
          return upload.matches(there.get())
              ? new Creation.Created(there.get())
              : new Creation.Exists(there.get());
        if (e.getCode() == 403) throw GcsErrors.of(objectUrl, e);
      }
    }
    throw new UnavailableException(objectUrl + " was created and deleted meanwhile; try again");
  }

  /**
   * Compares what the service has stored, because a sentinel will vouch for it: after a broken
   * connection the client accepts any size.
   */
  private ObjectInfo put(GcsUpload upload, long generation) {
    var stored =
        sent(
            upload.url(),
            (storage, payer) ->
                client
                    .direct(upload, generation, payer)
                    .orElseGet(() -> BlobMapper.info(upload.send(storage, generation, payer))));
    upload.check(stored);
    return stored;
  }

  /**
   * Whether an existing object may be the reason. An account that may create but not delete gets a
   * 403 where an object exists; the end of a resumable upload does not name the missing permission.
   */
  private static boolean refusedByAnother(StorageException e) {
    return e.getCode() == 412 || e.getCode() == 403;
  }

  @Override
  public Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation) {
    if (generation == GcsUpload.NONE)
      throw new IllegalArgumentException(objectUrl + ": no generation to replace");
    var upload = GcsUpload.of(objectUrl, content, metadata);
    try {
      return new Replacement.Replaced(put(upload, generation));
    } catch (StorageException e) {
      if (e.getCode() != 412) throw GcsErrors.of(objectUrl, e);
    }
    var there = find(objectUrl);
    var ours = there.filter(o -> o.generation() != generation).filter(upload::matches);
    return ours.<Replacement>map(Replacement.Replaced::new)
        .orElseGet(() -> new Replacement.Changed(there));
  }

  @Override
  public boolean delete(ObjectUrl objectUrl, long generation) {
    var exact = BlobId.of(BlobMapper.bucket(objectUrl), objectUrl.name(), generation);
    try {
      return sent(
          objectUrl,
          (storage, payer) -> {
            var options = new ArrayList<>(List.of(BlobSourceOption.generationMatch()));
            payer.map(BlobSourceOption::userProject).ifPresent(options::add);
            return storage.delete(exact, options.toArray(BlobSourceOption[]::new));
          });
    } catch (StorageException e) {
      if (e.getCode() == 412) return false;
      throw GcsErrors.of(objectUrl, e);
    }
  }

  @Override
  public ObjectPage list(ObjectUrl prefix, String after, int limit) {
    var size = ObjectPage.size(limit);
    return guarded(prefix, (storage, payer) -> GcsListing.of(storage, prefix, after, size, payer));
  }

  @Override
  public Optional<StorageLocation> location(ObjectUrl place) {
    return BucketLocator.of(client, place);
  }
}
