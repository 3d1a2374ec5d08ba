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
 * One object on its way up. Its checksum is computed first and goes with it, so that the service
 * refuses bytes that were changed on the way.
 */
record GcsUpload(
    ObjectUrl url, Content content, Map<String, String> metadata, ContentChecksum fingerprint) {
  /** Up to so many bytes go in one request; more in pieces that can be sent again one by one. */
  private static final int PIECE = 4 << 20;

  /** The generation that is replaced when none is. */
  static final long NONE = 0;

  static GcsUpload of(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    try {
      return new GcsUpload(objectUrl, content, Map.copyOf(metadata), ContentChecksum.of(content));
    } catch (IOException e) {
      throw unreadable(objectUrl, e);
    }
  }

  private static InvalidInputException unreadable(ObjectUrl objectUrl, IOException e) {
    return new InvalidInputException(
        objectUrl.toString(), "what should go there cannot be read: " + e);
  }

  boolean matches(ObjectInfo there) {
    return fingerprint.matches(there, metadata);
  }

  /** Throws {@link UnavailableException} if these are not the bytes that were sent. */
  void check(ObjectInfo stored) {
    if (stored.size() == fingerprint.size() && stored.crc32c().equals(fingerprint.crc32c())) return;
    throw new UnavailableException(
        "%s: Cloud Storage stored %d of %d bytes (crc32c %s, and not %s); they are no output"
            .formatted(
                url, stored.size(), fingerprint.size(), stored.crc32c(), fingerprint.crc32c()));
  }

  /**
   * Throws {@link StorageException} with 412 if another generation is there.
   *
   * @param generation the one to replace, or {@link #NONE}
   */
  Blob send(Storage storage, long generation, Optional<String> payer) {
    return fingerprint.size() <= PIECE
        ? atOnce(storage, generation, payer)
        : inPieces(storage, generation, payer);
  }

  private Blob atOnce(Storage storage, long generation, Optional<String> payer) {
    var options = new ArrayList<BlobTargetOption>();
    options.add(BlobTargetOption.disableGzipContent());
    options.add(BlobTargetOption.generationMatch(generation));
    payer.map(BlobTargetOption::userProject).ifPresent(options::add);
    return storage.create(info(), bytes(), options.toArray(BlobTargetOption[]::new));
  }

  /**
   * An upload that the service has lost (404 or 410) begins again, once. A 404 can tell of a
   * missing bucket too, and so does the beginning of another upload.
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

  /** Throws a 404 if there is no bucket. Closing the writer would make an object of no bytes. */
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
   * The service compares checksums at the end, and the client drops what it says there: a 400 after
   * the last byte is a 400 for its bytes, and these can be sent again.
   */
  private Blob stream(Storage storage, List<BlobWriteOption> options, InputStream in)
      throws IOException {
    try {
      return storage.createFrom(info(), in, PIECE, options.toArray(BlobWriteOption[]::new));
    } catch (StorageException | IOException e) {
      var refusal = refusal(e);
      if (refusal.getCode() != 400 || in.read() >= 0) throw refusal;
      throw new UnavailableException(
          url + ": its bytes changed while they were read, or on the way: " + e.getMessage(), e);
    }
  }

  private static StorageException refusal(Exception e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause())
      if (cause instanceof StorageException s) return s;
    return new StorageException(0, e.getMessage(), e);
  }

  private BlobInfo info() {
    return BlobInfo.newBuilder(BlobMapper.id(url))
        .setContentType("application/octet-stream")
        .setCrc32c(fingerprint.crc32c())
        .setMetadata(metadata)
        .build();
  }

  /** The client computes a checksum of its own over these, which must be the one that was told. */
  private byte[] bytes() {
    try (var in = content.open()) {
      var bytes = in.readNBytes(PIECE + 1);
      if (!ContentChecksum.of(Content.of(bytes)).equals(fingerprint))
        throw new UnavailableException(url + ": what should go there changed while it was read");
      return bytes;
    } catch (IOException e) {
      throw unreadable(url, e);
    }
  }
}
