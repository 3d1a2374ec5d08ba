package dev.mayfly.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Libraries of the page are the published files, unchanged, each with its licence beside it. */
class VendoredFilesTest {
  private static final Path FOLDER = Path.of("src/main/resources/dev/mayfly/cli/page/site/vendor");

  @Test
  void filesHaveTheirPinnedSums() throws Exception {
    var found = new TreeMap<String, String>();
    try (var files = Files.list(FOLDER)) {
      for (var file : files.filter(it -> !it.endsWith("SHA256SUMS")).toList())
        found.put(file.getFileName().toString(), sum(file));
    }

    var pinned = new TreeMap<String, String>();
    for (var line : Files.readAllLines(FOLDER.resolve("SHA256SUMS"))) {
      var parts = line.split("  ");
      pinned.put(parts[1], parts[0]);
    }
    assertThat(found).isEqualTo(pinned);
  }

  private static String sum(Path file) throws IOException, NoSuchAlgorithmException {
    var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }
}
