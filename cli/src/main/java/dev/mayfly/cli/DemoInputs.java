package dev.mayfly.cli;

import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The example's data, as objects. */
final class DemoInputs {
  private DemoInputs() {}

  /** How many files of posts there are now. */
  static int copy(Objects objects, Path data, String inputs) {
    try (var files = Files.list(data)) {
      var posts =
          files.filter(f -> f.getFileName().toString().endsWith(".jsonl.gz")).sorted().toList();
      for (var file : posts) {
        var url = Url.of(inputs).plus(file.getFileName().toString());
        if (objects.create(url, content(file), Map.of()) instanceof Objects.Creation.Exists old)
          objects.replace(url, content(file), Map.of(), old.info().generation());
      }
      return posts.size();
    } catch (IOException e) {
      throw new UncheckedIOException("the example's data can't be read: " + e.getMessage(), e);
    }
  }

  private static Objects.Content content(Path file) throws IOException {
    var size = Files.size(file);
    return new Objects.Content() {
      @Override
      public InputStream open() throws IOException {
        return Files.newInputStream(file);
      }

      @Override
      public long size() {
        return size;
      }
    };
  }
}
