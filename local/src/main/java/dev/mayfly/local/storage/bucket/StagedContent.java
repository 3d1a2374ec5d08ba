package dev.mayfly.local.storage.bucket;

import dev.mayfly.gcs.files.ContentChecksum;
import dev.mayfly.local.http.ApiError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.zip.CRC32C;
import tools.jackson.databind.JsonNode;

/**
 * Completely received content without a name.
 *
 * @param crc32c base64, big-endian
 * @param md5 base64
 */
public record StagedContent(Path file, long size, String crc32c, String md5) {
  private static final int BUFFER = 16 << 10;

  /** Computes the checksums of a finished file. */
  public static StagedContent of(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return summed(in, OutputStream.nullOutputStream(), file);
    }
  }

  /** Makes the file; its folder too, which people may delete at any time. */
  public static StagedContent copied(InputStream content, Path temp) throws IOException {
    try (var out =
        FolderOnDemand.of(temp, () -> Files.newOutputStream(temp, StandardOpenOption.CREATE_NEW))) {
      return summed(content, out, temp);
    }
  }

  private static StagedContent summed(InputStream content, OutputStream out, Path file)
      throws IOException {
    var crc = new CRC32C();
    var md5 = digest();
    var size = 0L;
    var buffer = new byte[BUFFER];
    for (int n; (n = content.read(buffer)) >= 0; size += n) {
      crc.update(buffer, 0, n);
      md5.update(buffer, 0, n);
      out.write(buffer, 0, n);
    }
    return new StagedContent(
        file, size, ContentChecksum.encode(crc), Base64.getEncoder().encodeToString(md5.digest()));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  /** Throws 400 if the sender's checksums differ. */
  public void verify(JsonNode resource) {
    verify("CRC32C", resource.path("crc32c").asString(""), crc32c);
    verify("MD5", resource.path("md5Hash").asString(""), md5);
  }

  public void verify(String kind, String claimed, String actual) {
    if (!claimed.isEmpty() && !claimed.equals(actual))
      throw ApiError.invalid(
          "Provided "
              + kind
              + " \""
              + claimed
              + "\" doesn't match calculated "
              + kind
              + " \""
              + actual
              + "\".");
  }

  /** Forces the file to disk. */
  void force() throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(false);
    }
  }

  public void discard() throws IOException {
    Files.deleteIfExists(file);
  }
}
