package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.porttests.ObjectStoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileObjectStoreTest extends ObjectStoreContract {
  @TempDir Path folder;
  private final ObjectStore objectStore = ObjectStores.of(Map.of());

  @Override
  protected ObjectStore objects() {
    return objectStore;
  }

  @Override
  protected ObjectUrl folder() {
    return ObjectUrl.of("file://" + folder + "/");
  }

  @Test
  void addedFileIsObject() throws IOException {
    Files.writeString(folder.resolve("by-hand"), "");
    Files.createDirectories(folder.resolve("sub"));
    Files.writeString(folder.resolve("sub/notes.txt"), "notes");

    assertThat(objectStore.create(at("by-hand"), content("x"), Map.of()))
        .isInstanceOf(ObjectStore.Creation.Exists.class);
    assertThat(text("sub/notes.txt")).isEqualTo("notes");
    assertThat(listed(folder())).containsExactly(find("by-hand"), find("sub/notes.txt"));
  }

  @Test
  void editedFileIsNewGenerationWithoutMetadata() throws IOException {
    var made = created("a", "one", Map.of("by", "us"));
    Files.writeString(folder.resolve("a"), "edited");

    assertThat(find("a").generation()).isNotEqualTo(made.generation());
    assertThat(find("a").metadata()).isEmpty();
    assertThat(objectStore.delete(at("a"), made.generation())).isFalse();
  }

  @Test
  void theFileIsAsPlainAsItsContent() throws IOException {
    created("a", "plain", Map.of("by", "us"));

    assertThat(folder.resolve("a")).hasContent("plain");
  }

  @Test
  void deletedObjectLeavesOnlyLockFile() throws IOException {
    var made = created("a", "one", Map.of("by", "us"));
    objectStore.create(at("a"), content("two"), Map.of("by", "another"));
    var now =
        objectStore.replace(at("a"), content("two"), Map.of("by", "us again"), made.generation());
    objectStore.replace(at("a"), content("three"), Map.of("by", "too late"), made.generation());
    objectStore.delete(at("a"), made.generation());
    objectStore.delete(at("a"), ((ObjectStore.Replacement.Replaced) now).info().generation());

    try (var left = Files.list(folder)) {
      assertThat(left).extracting(f -> f.getFileName().toString()).containsExactly(".mayfly-lock");
    }
  }

  @Test
  void longNameMayBeCutWithinCharacter() {
    var name = "x".repeat(59) + "🦟".repeat(4);
    var made = created(name, "x", Map.of("n", "1"));

    assertThat(find(name)).isEqualTo(made);
    assertThat(listed(folder())).containsExactly(made);
  }

  @Test
  void undecodableNameIsSkippedAndReported() throws Exception {
    created("a", "x", Map.of());
    var shell = new ProcessBuilder("sh", "-c", "printf x >\"$(printf 'b\\377')\"");
    assertThat(shell.directory(folder.toFile()).start().waitFor()).isZero();

    var page = objectStore.list(folder(), "", 10);
    assertThat(page.objects()).containsExactly(find("a"));
    assertThat(page.unusable()).containsExactly(folder().name() + "b\uFFFD");
  }

  @Test
  void whatIsNoFileIsSkippedAndReported() throws Exception {
    created("a", "x", Map.of());
    Files.createSymbolicLink(folder.resolve("gone"), Path.of("nothing"));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("a"));
    var pipe = new ProcessBuilder("mkfifo", "pipe").directory(folder.toFile()).start();
    assertThat(pipe.waitFor()).isZero();

    var page = objectStore.list(folder(), "", 10);

    assertThat(page.objects()).containsExactly(find("a"), find("link"));
    assertThat(page.unusable()).containsExactly(folder().name() + "gone", folder().name() + "pipe");
  }

  @Override
  protected List<String> putUnusable(List<String> names) {
    var kept = names.stream().filter(n -> !n.contains("/")).toList();
    try {
      for (var name : kept) Files.writeString(folder.resolve(name), "x");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return kept;
  }

  @Test
  void aFolderIsNoObjectAndTakesNone() throws IOException {
    Files.createDirectories(folder.resolve("a"));

    assertThat(objectStore.find(at("a"))).isEmpty();
    assertThat(objectStore.open(at("a"))).isEmpty();
    assertThatThrownBy(() -> objectStore.create(at("a"), content("x"), Map.of()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("a folder is there");
  }

  @Test
  void aFileIsNoFolder() {
    created("a", "x", Map.of());

    assertThat(objectStore.find(at("a/b"))).isEmpty();
    assertThatThrownBy(() -> objectStore.create(at("a/b"), content("x"), Map.of()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is a file, not a folder");
  }

  @Test
  void symbolicLinkLoopIsNotFollowed() throws IOException {
    created("f/a", "x", Map.of());
    Files.createSymbolicLink(folder.resolve("f/loop"), folder);

    assertThat(listed(at("f/"))).containsExactly(find("f/a"));
  }

  @Test
  void placesThatNoFileCanHaveAreRefused() {
    for (var name : new String[] {"a//b", "a/", ".mayfly-tmp", "x".repeat(300)})
      assertThatThrownBy(() -> objectStore.create(at(name), content("x"), Map.of()))
          .as(name)
          .isInstanceOf(InvalidInputException.class);
  }
}
