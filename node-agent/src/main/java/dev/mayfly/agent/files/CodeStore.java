package dev.mayfly.agent.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Unpacked code, by content hash. Rejects a zip whose content does not match the hash in its name,
 * because it was altered.
 */
public final class CodeStore {
  private final WorkDir workDir;
  private final ZipLimits caps;
  private final Map<String, Object> locks = new ConcurrentHashMap<>();

  public CodeStore(WorkDir workDir, ZipLimits caps) {
    this.workDir = workDir;
    this.caps = caps;
  }

  /** Opens the zip. */
  public interface Source {
    InputStream open() throws IOException;
  }

  /** The code itself is invalid; a retry cannot help. */
  public static final class InvalidCode extends Exception {
    private static final long serialVersionUID = 1;

    InvalidCode(String message) {
      super(message);
    }

    InvalidCode(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The folder with the code; fetches and unpacks it first if necessary. */
  public Path folder(String sha256, Source zip) throws IOException, InvalidCode {
    if (!sha256.matches("[0-9a-f]{64}")) {
      throw new InvalidCode(
          "'" + sha256 + "' is not a SHA-256 hash; a code bundle is named by its hash");
    }
    var folder = workDir.code().resolve(sha256);
    if (Files.isDirectory(folder)) {
      return folder;
    }
    synchronized (locks.computeIfAbsent(sha256, hash -> new Object())) {
      if (!Files.isDirectory(folder)) {
        unpack(sha256, zip, folder);
      }
    }
    return folder;
  }

  private void unpack(String sha256, Source zip, Path folder) throws IOException, InvalidCode {
    var half = workDir.code().resolve("." + sha256);
    FileTrees.delete(half);
    FileTrees.createPrivate(half);
    try {
      var file = half.resolve("bundle.zip");
      var found = fetch(zip, file);
      if (!found.equals(sha256)) {
        throw new InvalidCode("the code bundle " + sha256 + ".zip has the hash " + found);
      }
      var tree = FileTrees.createPrivate(half.resolve("tree"));
      new ZipUnpacker(caps).unpack(file, tree);
      Files.move(tree, folder, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      FileTrees.delete(half);
    }
  }

  private String fetch(Source zip, Path file) throws IOException, InvalidCode {
    var digest = sha256();
    var buffer = new byte[64 * 1024];
    long size = 0;
    try (var in = zip.open();
        OutputStream out = Files.newOutputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        size += n;
        if (size > caps.packedBytes()) {
          throw new InvalidCode("the code bundle is larger than " + caps.packedBytes() + " bytes");
        }
        digest.update(buffer, 0, n);
        out.write(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
