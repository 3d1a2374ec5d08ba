package dev.mayfly.gcs;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.io.InputStream;

/** Reads what must fit into memory. */
final class Capped {
  private Capped() {}

  /** Throws {@link Invalid} when there are more than {@code cap} bytes. */
  static byte[] read(Url url, InputStream in, int cap) throws IOException {
    var bytes = in.readNBytes(cap);
    if (bytes.length == cap && in.read() >= 0)
      throw new Invalid(
          url.toString(), "it is larger than the " + cap + " bytes that are read of it");
    return bytes;
  }
}
