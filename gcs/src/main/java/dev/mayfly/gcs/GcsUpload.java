package dev.mayfly.gcs;

import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobTargetOption;
import com.google.cloud.storage.Storage.BlobWriteOption;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects.Content;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.util.Map;

/**
 * One object on its way up. Its checksum is computed first and goes with it, so that the service
 * refuses bytes that were changed on the way.
 */
record GcsUpload(Url url, Content content, Map<String, String> metadata, Fingerprint fingerprint) {
  /** Up to so many bytes go in one request; more in pieces that can be sent again one by one. */
  private static final int PIECE = 4 << 20;

  static GcsUpload of(Url url, Content content, Map<String, String> metadata) {
    try {
      return new GcsUpload(url, content, Map.copyOf(metadata), Fingerprint.of(content));
    } catch (IOException e) {
      throw unreadable(url, e);
    }
  }

  private static Invalid unreadable(Url url, IOException e) {
    return new Invalid(url.toString(), "what should go there cannot be read: " + e);
  }

  boolean made(ObjectInfo there) {
    return fingerprint.made(there, metadata);
  }

  Blob createOnce(Storage storage) {
    return small()
        ? storage.create(
            info(), bytes(), BlobTargetOption.doesNotExist(), BlobTargetOption.disableGzipContent())
        : stream(storage, BlobWriteOption.doesNotExist(), BlobWriteOption.crc32cMatch());
  }

  Blob replace(Storage storage) {
    return small()
        ? storage.create(info(), bytes(), BlobTargetOption.disableGzipContent())
        : stream(storage, BlobWriteOption.crc32cMatch());
  }

  private boolean small() {
    return fingerprint.size() <= PIECE;
  }

  private BlobInfo info() {
    return BlobInfo.newBuilder(GcsBlobs.id(url))
        .setContentType("application/octet-stream")
        .setCrc32c(fingerprint.crc32c())
        .setMetadata(metadata)
        .build();
  }

  private byte[] bytes() {
    try (var in = content.open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw unreadable(url, e);
    }
  }

  private Blob stream(Storage storage, BlobWriteOption... options) {
    try (var in = content.open()) {
      return storage.createFrom(info(), in, PIECE, options);
    } catch (IOException e) {
      throw GcsFailures.in(e).orElseGet(() -> new StorageException(0, e.getMessage(), e));
    }
  }
}
