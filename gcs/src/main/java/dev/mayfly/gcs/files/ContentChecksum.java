package dev.mayfly.gcs.files;

import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Size and checksum of a content.
 *
 * @param crc32c big-endian, base64, as Cloud Storage writes it
 */
public record ContentChecksum(long size, String crc32c) {
  public static ContentChecksum of(Content content) throws IOException {
    try (var in = content.open()) {
      return of(in);
    }
  }

  static ContentChecksum of(InputStream in) throws IOException {
    var crc = new CRC32C();
    var size = 0L;
    var buffer = new byte[64 << 10];
    for (int n; (n = in.read(buffer)) >= 0; size += n) crc.update(buffer, 0, n);
    return new ContentChecksum(size, encode(crc));
  }

  public static String encode(CRC32C crc) {
    var bytes = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Whether the object has this content and metadata. */
  public boolean matches(ObjectInfo there, Map<String, String> metadata) {
    return there.size() == size
        && there.crc32c().equals(crc32c)
        && there.metadata().equals(metadata);
  }
}
