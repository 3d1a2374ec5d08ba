package dev.mayfly.gcs;

import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.Storage.BlobGetOption;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.Storage.BlobSourceOption;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Location;
import dev.mayfly.core.port.ObjectInfo;
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
 * <p>The client repeats what failed in a way that may pass, with pauses drawn at random, for 40 s
 * at most.
 */
final class GcsObjects implements Objects {
  private final GcsClient client;

  GcsObjects(StoreSettings settings) {
    client = new GcsClient(settings);
  }

  @Override
  public Optional<ObjectInfo> find(Url url) {
    var fields = BlobGetOption.fields(GcsBlobs.GET_FIELDS);
    return guarded(
        url,
        () -> Optional.ofNullable(client.get().get(GcsBlobs.id(url), fields)).map(GcsBlobs::info));
  }

  @Override
  public Optional<byte[]> read(Url url, int cap) {
    return opened(url, in -> Capped.read(url, in, cap));
  }

  @Override
  public Optional<InputStream> open(Url url) {
    return GcsStream.open(client.get(), url);
  }

  private interface Reading {
    byte[] of(InputStream in) throws IOException;
  }

  private Optional<byte[]> opened(Url url, Reading reading) {
    var opened = open(url);
    if (opened.isEmpty()) return Optional.empty();
    try (var in = opened.get()) {
      return Optional.of(reading.of(in));
    } catch (IOException e) {
      throw new Unavailable(url + ": reading broke off: " + e.getMessage(), e);
    }
  }

  @Override
  public Creation create(Url url, Content content, Map<String, String> metadata) {
    var upload = GcsUpload.of(url, content, metadata);
    // An object that refused us and is gone when we look was deleted meanwhile: try again.
    for (var tries = 0; tries < 3; tries++) {
      try {
        return new Creation.Created(GcsBlobs.info(upload.createOnce(client.get())));
      } catch (StorageException e) {
        if (!GcsFailures.saysExists(e)) throw GcsFailures.of(url, e);
        var there = find(url);
        if (there.isPresent()) return judge(upload, there.get());
        if (e.getCode() == 403) throw new Denied(url + ": " + e.getMessage(), e);
      }
    }
    throw new Unavailable(url + " came and went while it was created; try again");
  }

  private static Creation judge(GcsUpload upload, ObjectInfo there) {
    return upload.made(there) ? new Creation.Created(there) : new Creation.Exists(there);
  }

  @Override
  public ObjectInfo replace(Url url, Content content, Map<String, String> metadata) {
    var upload = GcsUpload.of(url, content, metadata);
    return guarded(url, () -> GcsBlobs.info(upload.replace(client.get())));
  }

  @Override
  public boolean delete(Url url, long generation) {
    var exact = BlobId.of(GcsBlobs.bucket(url), url.name(), generation);
    try {
      return client.get().delete(exact, BlobSourceOption.generationMatch());
    } catch (StorageException e) {
      if (e.getCode() == 412) return false;
      throw GcsFailures.of(url, e);
    }
  }

  @Override
  public List<ObjectInfo> list(Url prefix, String after, int limit) {
    var most = Math.min(limit, 1_000);
    return guarded(prefix, () -> page(prefix, after, most));
  }

  /** The service begins *at* a name, and so one more is asked for. */
  private List<ObjectInfo> page(Url prefix, String after, int limit) {
    var options = new ArrayList<BlobListOption>();
    options.add(BlobListOption.prefix(prefix.name()));
    options.add(BlobListOption.pageSize(Math.min(limit + 1L, 1_000)));
    options.add(BlobListOption.fields(GcsBlobs.LIST_FIELDS));
    if (!after.isEmpty()) options.add(BlobListOption.startOffset(after));
    var found = new ArrayList<ObjectInfo>();
    var all =
        client
            .get()
            .list(GcsBlobs.bucket(prefix), options.toArray(BlobListOption[]::new))
            .iterateAll();
    for (Blob blob : all) {
      if (!blob.getName().equals(after)) found.add(GcsBlobs.info(blob));
      if (found.size() == limit) break;
    }
    return List.copyOf(found);
  }

  @Override
  public Optional<Location> location(Url place) {
    return GcsLayout.of(client.get(), place);
  }

  private interface Call<T> {
    T run();
  }

  private static <T> T guarded(Url url, Call<T> call) {
    try {
      return call.run();
    } catch (StorageException e) {
      throw GcsFailures.of(url, e);
    }
  }
}
