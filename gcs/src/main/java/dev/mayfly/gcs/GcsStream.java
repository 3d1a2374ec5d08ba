package dev.mayfly.gcs;

import com.google.cloud.storage.Storage;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Url;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.Optional;

/** Reads an object as it comes. */
final class GcsStream {
  private static final int BUFFER = 256 << 10;

  private GcsStream() {}

  /**
   * The client asks for nothing before the first byte is read, and so one is read to see that it is
   * there.
   */
  static Optional<InputStream> open(Storage storage, Url url) {
    var channel = storage.reader(GcsBlobs.id(url));
    channel.setChunkSize(0);
    var in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
    try {
      in.mark(1);
      if (in.read() >= 0) in.reset();
      return Optional.of(in);
    } catch (StorageException e) {
      return absent(url, e);
    } catch (IOException e) {
      var known = GcsFailures.in(e);
      if (known.isPresent()) return absent(url, known.get());
      throw new Unavailable(url + ": reading did not begin: " + e.getMessage(), e);
    }
  }

  private static Optional<InputStream> absent(Url url, StorageException e) {
    if (e.getCode() == 404) return Optional.empty();
    throw GcsFailures.of(url, e);
  }
}
