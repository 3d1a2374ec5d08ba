package dev.mayfly.local.cloud.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.porttests.ObjectsContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    assertThat(listed(folder())).containsExactly(find("by-hand"), find("sub/notes.txt"));
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
  void onlyTheFoldersLockIsLeftWhenTheObjectIsGone() throws IOException {
    var made = created("a", "one", Map.of("by", "us"));
    objects.create(at("a"), content("two"), Map.of("by", "another"));
    var now = objects.replace(at("a"), content("two"), Map.of("by", "us again"), made.generation());
    objects.replace(at("a"), content("three"), Map.of("by", "too late"), made.generation());
    objects.delete(at("a"), made.generation());
    objects.delete(at("a"), ((Objects.Replacement.Replaced) now).info().generation());

    try (var left = Files.list(folder)) {
      assertThat(left).extracting(f -> f.getFileName().toString()).containsExactly(".mayfly-lock");
    }
  }

  @Test
  void longNameMayEndItsShownPartWithinACharacter() {
    var name = "x".repeat(59) + "🦟".repeat(4);
    var made = created(name, "x", Map.of("n", "1"));

    assertThat(find(name)).isEqualTo(made);
    assertThat(listed(folder())).containsExactly(made);
  }

  @Test
  void nameThatIsNoTextIsLeftOutAndTold() throws Exception {
    created("a", "x", Map.of());
    var shell = new ProcessBuilder("sh", "-c", "printf x >\"$(printf 'b\\377')\"");
    assertThat(shell.directory(folder.toFile()).start().waitFor()).isZero();

    var page = objects.list(folder(), "", 10);
    assertThat(page.objects()).containsExactly(find("a"));
    assertThat(page.unusable()).containsExactly(folder().name() + "b\uFFFD");
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

    assertThat(listed(at("f/"))).containsExactly(find("f/a"));
  }

  @Test
  void placesThatNoFileCanHaveAreRefused() {
    for (var name : new String[] {"a//b", "a/", ".mayfly-tmp", "x".repeat(300)})
      assertThatThrownBy(() -> objects.create(at(name), content("x"), Map.of()))
          .as(name)
          .isInstanceOf(Invalid.class);
  }
}
