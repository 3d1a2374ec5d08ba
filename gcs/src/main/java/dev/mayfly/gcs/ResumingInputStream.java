package dev.mayfly.gcs;

import com.google.api.client.http.HttpResponseException;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.files.ContentChecksum;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Streams an object. After a broken connection it continues at the same generation while there is
 * progress; a read without progress throws. Verifies the checksum at the end.
 */
final class ResumingInputStream extends InputStream {
  private static final System.Logger LOG = System.getLogger(ResumingInputStream.class.getName());
  private static final int BUFFER = 256 << 10;

  private final GcsClient client;
  private final ObjectUrl objectUrl;
  private final ProgressDeadline deadline;
  private final CRC32C crc = new CRC32C();
  private Optional<Long> generation = Optional.empty();
  private long size = -1;
  private String crc32c = "";
  private long position;
  private @Nullable GcsDownload media;

  private ResumingInputStream(GcsClient client, ObjectUrl objectUrl) {
    this.client = client;
    this.objectUrl = objectUrl;
    this.deadline = client.deadline();
  }

  /** Empty if there is no object. */
  static Optional<InputStream> open(GcsClient client, ObjectUrl objectUrl) {
    var stream = new ResumingInputStream(client, objectUrl);
    try {
      stream.connected();
      return Optional.of(new BufferedInputStream(stream, BUFFER));
    } catch (FileNotFoundException none) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UnavailableException(objectUrl + ": reading did not start: " + e.getMessage(), e);
    }
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) return 0;
    deadline.begins();
    while (position != size) {
      try {
        var n = connected().body().read(bytes, offset, length);
        if (n > 0) return received(bytes, offset, n);
        if (size < 0) break;
        throw new EOFException("content ended after %,d of %,d bytes".formatted(position, size));
      } catch (IOException e) {
        if (media == null) throw e;
        drop();
        deadline.pauseAfter(e);
      }
    }
    if (!crc32c.isEmpty() && !crc32c.equals(ContentChecksum.encode(crc)))
      throw new IOException(
          objectUrl + ": its content changed in transit: its CRC32C is not " + crc32c);
    return -1;
  }

  private int received(byte[] bytes, int offset, int n) {
    crc.update(bytes, offset, n);
    position += n;
    deadline.progressed();
    return n;
  }

  /** The open connection, or a new one from the current position. */
  private GcsDownload connected() throws IOException {
    while (true) {
      var there = media;
      if (there != null) return there;
      var payer = client.payer(objectUrl);
      try {
        var opened = GcsDownload.open(client.rest(), objectUrl, payer, generation, position);
        if (generation.isEmpty()) {
          generation = opened.generation();
          size = opened.size();
          crc32c = opened.crc32c();
        }
        media = opened;
        return opened;
      } catch (HttpResponseException e) {
        refused(e, payer);
      } catch (IOException e) {
        failed(e);
      }
    }
  }

  /** Returns if the request may be repeated. */
  private void refused(HttpResponseException e, Optional<String> payer) throws IOException {
    var refusal = StorageException.translate(e);
    if (GcsDownload.isTransient(e)) deadline.pauseAfter(e);
    else if (e.getStatusCode() == 404 && generation.isEmpty())
      throw (FileNotFoundException) new FileNotFoundException(objectUrl.toString()).initCause(e);
    else if (e.getStatusCode() == 404)
      throw new IOException(objectUrl + " was replaced or deleted while it was read", e);
    else if (!client.learnPayer(objectUrl, payer, refusal)) throw GcsErrors.of(objectUrl, refusal);
  }

  private void failed(IOException e) throws IOException {
    if (GcsErrors.loginRefused(e)) throw GcsErrors.of(objectUrl, StorageException.translate(e));
    deadline.pauseAfter(e);
  }

  /** Errors on closing a broken connection do not matter. */
  private void drop() {
    try {
      close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "closing a broken connection: {0}", e.toString());
    }
  }

  @Override
  public void close() throws IOException {
    var there = media;
    media = null;
    if (there != null) there.body().close();
  }
}
