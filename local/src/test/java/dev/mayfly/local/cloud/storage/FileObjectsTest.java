package dev.mayfly.local.cloud.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.porttests.ObjectsContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileObjectsTest extends ObjectsContract {
  @TempDir Path folder;
  private final Objects objects = ObjectStores.of(Map.of());

  @Override
  protected Objects objects() {
    return objects;
  }

  @Override
  protected Url folder() {
    return Url.of("file://" + folder + "/");
  }

  @Test
  void aFileThatSomebodyMadeIsAnObject() throws IOException {
    Files.writeString(folder.resolve("by-hand"), "");
    Files.createDirectories(folder.resolve("sub"));
    Files.writeString(folder.resolve("sub/notes.txt"), "notes");

    assertThat(objects.create(at("by-hand"), content("x"), Map.of()))
        .isInstanceOf(Objects.Creation.Exists.class);
    assertThat(text("sub/notes.txt")).isEqualTo("notes");
    assertThat(objects.list(folder(), "", 10))
        .containsExactly(find("by-hand"), find("sub/notes.txt"));
  }

  @Test
  void aFileThatSomebodyEditsIsAnotherGenerationWithoutMetadata() throws IOException {
    var made = created("a", "one", Map.of("by", "us"));
    Files.writeString(folder.resolve("a"), "edited");

    assertThat(find("a").generation()).isNotEqualTo(made.generation());
    assertThat(find("a").metadata()).isEmpty();
    assertThat(objects.delete(at("a"), made.generation())).isFalse();
  }

  @Test
  void theFileIsAsPlainAsItsContent() throws IOException {
    created("a", "plain", Map.of("by", "us"));

    assertThat(folder.resolve("a")).hasContent("plain");
  }

  @Test
  void nothingOfOursIsLeftWhenTheObjectIsGone() throws IOException {
    var made = created("a", "one", Map.of("by", "us"));
    objects.create(at("a"), content("two"), Map.of("by", "another"));
    var now = objects.replace(at("a"), content("two"), Map.of("by", "us again"));
    objects.delete(at("a"), made.generation());
    objects.delete(at("a"), now.generation());

    try (var left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aFolderIsNoObjectAndTakesNone() throws IOException {
    Files.createDirectories(folder.resolve("a"));

    assertThat(objects.find(at("a"))).isEmpty();
    assertThat(objects.open(at("a"))).isEmpty();
    assertThatThrownBy(() -> objects.create(at("a"), content("x"), Map.of()))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("a folder is there");
  }

  @Test
  void aFileIsNoFolder() {
    created("a", "x", Map.of());

    assertThat(objects.find(at("a/b"))).isEmpty();
    assertThatThrownBy(() -> objects.create(at("a/b"), content("x"), Map.of()))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("is a file and no folder");
  }

  @Test
  void aLinkToAFolderThatItIsInIsNotFollowedForEver() throws IOException {
    created("f/a", "x", Map.of());
    Files.createSymbolicLink(folder.resolve("f/loop"), folder);

    assertThat(objects.list(at("f/"), "", 1_000)).containsExactly(find("f/a"));
  }

  @Test
  void placesThatNoFileCanHaveAreRefused() {
    for (var name : new String[] {"a//b", "a/", ".mayfly-tmp", "x".repeat(300)})
      assertThatThrownBy(() -> objects.create(at(name), content("x"), Map.of()))
          .as(name)
          .isInstanceOf(Invalid.class);
  }
}
