package dev.mayfly.core.port;

import java.time.Instant;
import java.util.Map;

/**
 * An object as a listing describes it.
 *
 * @param generation names this content; a replacement has another
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
