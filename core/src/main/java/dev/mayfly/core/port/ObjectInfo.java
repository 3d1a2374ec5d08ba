package dev.mayfly.core.port;

import java.time.Instant;
import java.util.Map;

/**
 * What a listing tells of an object.
 *
 * @param generation names this content: replaced means another generation
 * @param size in bytes
 * @param crc32c of the content, big-endian, base64
 */
public record ObjectInfo(
    ObjectUrl url,
    long generation,
    long size,
    String crc32c,
    Map<String, String> metadata,
    Instant updated) {
  public ObjectInfo {
    metadata = Map.copyOf(metadata);
  }
}
