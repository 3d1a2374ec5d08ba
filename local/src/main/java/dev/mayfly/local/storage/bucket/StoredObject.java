package dev.mayfly.local.storage.bucket;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The description of one generation of an object, stored in a sidecar.
 *
 * @param generation also the file's modification time, in microseconds
 * @param crc32c base64, big-endian
 * @param md5 base64; empty for a composed object
 * @param headers contentType, contentEncoding and similar, by their names in the resource
 * @param metadata the user's metadata
 * @param identity which file had this content, and as of which change of it; empty until that is
 *     known
 */
public record StoredObject(
    String name,
    long generation,
    long metageneration,
    long size,
    String crc32c,
    String md5,
    Map<String, String> headers,
    Map<String, String> metadata,
    Instant timeCreated,
    Instant updated,
    Optional<String> identity) {
  private static final long SMALL = 64 << 10;

  public StoredObject {
    headers = Map.copyOf(headers);
    metadata = Map.copyOf(metadata);
  }

  StoredObject withAttributes(ObjectAttributes objectAttributes, Instant now) {
    return new StoredObject(
        name,
        generation,
        metageneration + 1,
        size,
        crc32c,
        md5,
        objectAttributes.headers(),
        objectAttributes.metadata(),
        timeCreated,
        now,
        identity);
  }

  /** A copy whose content is that of the file as it was seen. */
  StoredObject seenAs(Optional<String> file) {
    return new StoredObject(
        name,
        generation,
        metageneration,
        size,
        crc32c,
        md5,
        headers,
        metadata,
        timeCreated,
        updated,
        file);
  }

  /** Whether its content is compared as soon as a description of it is written. */
  boolean isSmall() {
    return size <= SMALL;
  }

  public ObjectAttributes attributes() {
    return new ObjectAttributes(headers, metadata);
  }
}
