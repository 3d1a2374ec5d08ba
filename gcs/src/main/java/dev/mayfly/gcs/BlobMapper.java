package dev.mayfly.gcs;

import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.Storage.BlobField;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Maps between the client's values and Mayfly's. */
final class BlobMapper {
  /** Only the needed fields: they make a listing of a thousand objects six times shorter. */
  static final BlobField[] LIST_FIELDS = {
    BlobField.BUCKET,
    BlobField.NAME,
    BlobField.GENERATION,
    BlobField.SIZE,
    BlobField.CRC32C,
    BlobField.METADATA,
    BlobField.UPDATED
  };

  static final BlobField[] GET_FIELDS = LIST_FIELDS;

  private BlobMapper() {}

  static String bucket(ObjectUrl objectUrl) {
    return objectUrl.root().substring("gs://".length());
  }

  /** Throws {@link InvalidInputException} for a URL that names no object. */
  static BlobId id(ObjectUrl objectUrl) {
    if (objectUrl.name().isEmpty())
      throw new InvalidInputException(objectUrl.toString(), "is a bucket; append an object's name");
    return BlobId.of(bucket(objectUrl), objectUrl.name());
  }

  static ObjectInfo info(Blob blob) {
    var updated = blob.getUpdateTimeOffsetDateTime();
    return new ObjectInfo(
        new ObjectUrl("gs://" + blob.getBucket(), blob.getName()),
        blob.getGeneration(),
        blob.getSize() == null ? 0 : blob.getSize(),
        blob.getCrc32c() == null ? "" : blob.getCrc32c(),
        metadata(blob),
        updated == null ? Instant.EPOCH : updated.toInstant());
  }

  private static Map<String, String> metadata(Blob blob) {
    var given = blob.getMetadata();
    if (given == null) return Map.of();
    var kept = new HashMap<String, String>();
    given.forEach((key, value) -> kept.put(key, value == null ? "" : value));
    return kept;
  }
}
