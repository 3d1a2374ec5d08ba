package dev.mayfly.cli.code;

import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A zip of a folder, named by its content: equal trees give equal zips, which are uploaded once.
 * Closing it deletes the local file.
 *
 * @param sha256 of the zip's bytes, in hex
 * @param size of the zip in bytes
 * @param leftOut what is not packed and not asked for either
 * @param pointers the files that are only pointers of Git LFS
 */
public record CodeBundle(
    Path zip, String sha256, int files, long size, LeftOutOfCode leftOut, List<String> pointers)
    implements AutoCloseable {
  /**
   * Packs the folder. Throws {@link dev.mayfly.core.error.InvalidInputException} if it is too large
   * or not a folder.
   */
  public static CodeBundle of(Path folder) {
    try {
      var codeFiles = CodeFiles.of(folder);
      var zip = Files.createTempFile("mayfly-code-", ".zip");
      Files.delete(zip);
      ReproducibleZip.pack(codeFiles, zip);
      return new CodeBundle(
          zip,
          sha256(zip),
          codeFiles.files().size(),
          Files.size(zip),
          codeFiles.leftOut(),
          codeFiles.pointers());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot pack " + folder + ": " + e, e);
    }
  }

  /** The object that the zip is uploaded to. */
  public ObjectUrl place(String bucket) {
    return BucketLayout.of(bucket).code(sha256);
  }

  /** Uploads the zip unless it exists; returns whether it was uploaded. */
  public boolean upload(ObjectStore objectStore, String bucket) {
    var place = place(bucket);
    if (objectStore.find(place).isPresent()) return false;
    return objectStore.create(place, content(), Map.of()) instanceof ObjectStore.Creation.Created;
  }

  private ObjectStore.Content content() {
    return new ObjectStore.Content() {
      @Override
      public InputStream open() throws IOException {
        return Files.newInputStream(zip);
      }

      @Override
      public long size() {
        return size;
      }
    };
  }

  private static String sha256(Path file) throws IOException {
    try (var in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(zip);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + zip, e);
    }
  }
}
