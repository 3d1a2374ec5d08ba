package dev.mayfly.gcs;

import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobTargetOption;
import com.google.cloud.storage.Storage.BlobWriteOption;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.files.ContentChecksum;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One upload. Its checksum is computed first and sent along, so that the service refuses content
 * that changed in transit.
 */
record GcsUpload(
    ObjectUrl url, Content content, Map<String, String> metadata, ContentChecksum fingerprint) {
  /** The size limit of a single request; larger content is sent in pieces that can be repeated. */
  private static final int PIECE = 4 << 20;

  /** The generation of an object that does not exist. */
  static final long NONE = 0;

  static final String TYPE = "application/octet-stream";

  static GcsUpload of(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    try {
      return new GcsUpload(objectUrl, content, Map.copyOf(metadata), ContentChecksum.of(content));
    } catch (IOException e) {
      throw unreadable(objectUrl, e);
    }
  }

  private static InvalidInputException unreadable(ObjectUrl objectUrl, IOException e) {
    return new InvalidInputException(
        objectUrl.toString(), "the content to upload cannot be read: " + e);
  }

  /** Whether one request has room for it. */
  boolean isSmall() {
    return fingerprint.size() <= PIECE;
  }

  boolean matches(ObjectInfo there) {
    return fingerprint.matches(there, metadata);
  }

  /** Throws {@link UnavailableException} if the stored content is not what was sent. */
  void check(ObjectInfo stored) {
    if (stored.size() == fingerprint.size() && stored.crc32c().equals(fingerprint.crc32c())) return;
    throw new UnavailableException(
        "%s: Cloud Storage stored %d of %d bytes (crc32c %s, not %s); this is not the output"
            .formatted(
                url, stored.size(), fingerprint.size(), stored.crc32c(), fingerprint.crc32c()));
  }

  /**
   * Throws {@link StorageException} with 412 if the object has another generation.
   *
   * @param generation the one to replace, or {@link #NONE}
   */
  Blob send(Storage storage, long generation, Optional<String> payer) {
    return isSmall() ? atOnce(storage, generation, payer) : inPieces(storage, generation, payer);
  }

  private Blob atOnce(Storage storage, long generation, Optional<String> payer) {
    var options = new ArrayList<BlobTargetOption>();
    options.add(BlobTargetOption.disableGzipContent());
    options.add(BlobTargetOption.generationMatch(generation));
    payer.map(BlobTargetOption::userProject).ifPresent(options::add);
    return storage.create(info(), bytes(), options.toArray(BlobTargetOption[]::new));
  }

  /**
   * Restarts an upload that the service has lost (404 or 410), once. A 404 may also mean a missing
   * bucket, which starting another upload reports as well.
   */
  private Blob inPieces(Storage storage, long generation, Optional<String> payer) {
    var options = new ArrayList<BlobWriteOption>();
    options.add(BlobWriteOption.crc32cMatch());
    options.add(BlobWriteOption.generationMatch(generation));
    payer.map(BlobWriteOption::userProject).ifPresent(options::add);
    try {
      return stream(storage, options);
    } catch (StorageException e) {
      if (!lost(e)) throw e;
      begin(storage, options);
    }
    try {
      return stream(storage, options);
    } catch (StorageException e) {
      if (!lost(e)) throw e;
      throw new UnavailableException(
          url + ": Cloud Storage lost the upload twice: " + e.getMessage(), e);
    }
  }

  private static boolean lost(StorageException e) {
    return e.getCode() == 404 || e.getCode() == 410;
  }

  /**
   * Throws a 404 if there is no bucket. The writer stays open: closing it would create an empty
   * object.
   */
  @SuppressWarnings("resource")
  private void begin(Storage storage, List<BlobWriteOption> options) {
    var unused = storage.writer(info(), options.toArray(BlobWriteOption[]::new));
  }

  private Blob stream(Storage storage, List<BlobWriteOption> options) {
    try (var in = content.open()) {
      return stream(storage, options, in);
    } catch (IOException e) {
      throw new StorageException(0, e.getMessage(), e);
    }
  }

  /**
   * The service compares checksums at the end, but the client drops that message. A 400 after the
   * last byte therefore means changed content, which can be sent again.
   */
  private Blob stream(Storage storage, List<BlobWriteOption> options, InputStream in)
      throws IOException {
    try {
      return storage.createFrom(info(), in, PIECE, options.toArray(BlobWriteOption[]::new));
    } catch (StorageException | IOException e) {
      var refusal = refusal(e);
      if (refusal.getCode() != 400 || in.read() >= 0) throw refusal;
      throw new UnavailableException(
          url + ": its content changed while being read or sent: " + e.getMessage(), e);
    }
  }

  private static StorageException refusal(Exception e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause())
      if (cause instanceof StorageException s) return s;
    return new StorageException(0, e.getMessage(), e);
  }

  private BlobInfo info() {
    return BlobInfo.newBuilder(BlobMapper.id(url))
        .setContentType(TYPE)
        .setCrc32c(fingerprint.crc32c())
        .setMetadata(metadata)
        .build();
  }

  /**
   * The content of a small upload, as its checksum announces it. Throws {@link
   * UnavailableException} if it has changed.
   */
  byte[] bytes() {
    try (var in = content.open()) {
      var bytes = in.readNBytes(PIECE + 1);
      if (!ContentChecksum.of(Content.of(bytes)).equals(fingerprint))
        throw new UnavailableException(url + ": the content changed while it was read");
      return bytes;
    } catch (IOException e) {
      throw unreadable(url, e);
    }
  }
}
