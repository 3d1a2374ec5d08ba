package dev.mayfly.cli.demo;

import dev.mayfly.cli.files.LocalFolders;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Copies the example's data into the object store. */
public final class DemoInputs {
  private DemoInputs() {}

  /** Copies the files of posts and returns their number. */
  public static int copy(ObjectStore objectStore, Path data, String inputs) {
    try {
      var posts =
          LocalFolders.children(data).stream()
              .filter(file -> file.getFileName().toString().endsWith(".jsonl.gz"))
              .toList();
      for (var file : posts) {
        var objectUrl = ObjectUrl.of(inputs).append(file.getFileName().toString());
        var content = ObjectStore.Content.of(Files.readAllBytes(file));
        if (objectStore.create(objectUrl, content, Map.of())
            instanceof ObjectStore.Creation.Exists old)
          objectStore.replace(objectUrl, content, Map.of(), old.info().generation());
      }
      return posts.size();
    } catch (IOException e) {
      throw new UncheckedIOException("the example's data cannot be read: " + e.getMessage(), e);
    }
  }
}
