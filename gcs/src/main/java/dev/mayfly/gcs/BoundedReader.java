package dev.mayfly.gcs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.io.InputStream;

/** Reads content that must fit into memory. */
final class BoundedReader {
  private BoundedReader() {}

  /** Throws {@link InvalidInputException} for more than {@code cap} bytes. */
  static byte[] read(ObjectUrl objectUrl, InputStream in, int cap) throws IOException {
    var bytes = in.readNBytes(cap);
    if (bytes.length == cap && in.read() >= 0)
      throw new InvalidInputException(
          objectUrl.toString(), "is larger than the " + cap + " bytes that are read of it");
    return bytes;
  }
}
