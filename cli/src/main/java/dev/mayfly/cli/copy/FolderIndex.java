package dev.mayfly.cli.copy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The {@code index.json} of a task's output, as far as it names the folders that a bucket cannot
 * hold. Any other file of that name has none.
 *
 * @param folders below the output
 */
record FolderIndex(List<String> folders) {
  private static final String NAME = "index.json";
  private static final int LARGEST = 64 << 20;

  /** The empty folders of an output that was copied into a folder. */
  static List<Path> folders(Path copied) {
    var file = copied.resolve(NAME);
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) return List.of();
      return Wire.shared().read(FolderIndex.class, Files.readAllBytes(file)).folders().stream()
          .filter(FolderIndex::isBelow)
          .map(copied::resolve)
          .toList();
    } catch (InvalidInputException another) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read: " + e, e);
    }
  }

  private static boolean isBelow(String path) {
    return !path.startsWith("/") && ObjectUrl.ifUsable("gs://bucket", path).isPresent();
  }
}
