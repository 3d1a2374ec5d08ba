package dev.mayfly.fuzz;

import dev.mayfly.agent.files.CodeStore;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.files.ZipLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Code bundles as a machine unpacks them. Nothing may appear outside the bundle's own folder. */
final class BundleTarget implements FuzzTarget {
  private static final ZipLimits CAPS = new ZipLimits(1 << 20, 1_000, 8 << 20, 100);

  @Override
  public String name() {
    return "archives";
  }

  @Override
  public List<byte[]> seeds() {
    var bundle = SeedCorpus.bundle();
    return List.of(bundle, damaged(bundle), Arrays.copyOf(bundle, bundle.length / 2));
  }

  /** A bundle with truncated compressed bytes and an intact directory. */
  private static byte[] damaged(byte[] bundle) {
    var damaged = bundle.clone();
    for (var i = 38; i < 50; i++) damaged[i] = (byte) 0xff;
    return damaged;
  }

  @Override
  public boolean accepts(byte[] input) throws IOException {
    var root = Files.createTempDirectory("mayfly-fuzz-");
    try (var workDir = WorkDir.open(root.resolve("work"))) {
      var store = new CodeStore(workDir, CAPS);
      var accepted = unpacks(store, input);
      try (var beside = Files.list(root)) {
        if (beside.count() != 1) throw new IllegalStateException("a file lies outside of " + root);
      }
      return accepted;
    } finally {
      TempFolders.delete(root);
    }
  }

  private static boolean unpacks(CodeStore store, byte[] input) throws IOException {
    try {
      var folder = store.folder(sha256(input), () -> new ByteArrayInputStream(input));
      try (var files = Files.walk(folder)) {
        if (files.anyMatch(Files::isSymbolicLink))
          throw new IllegalStateException("a link was unpacked");
      }
      return true;
    } catch (CodeStore.InvalidCode invalidCode) {
      return false;
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
