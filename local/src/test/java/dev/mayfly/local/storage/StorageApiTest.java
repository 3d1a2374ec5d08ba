package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.Storage.BlobTargetOption;
import com.google.cloud.storage.Storage.ComposeRequest;
import com.google.cloud.storage.Storage.CopyRequest;
import com.google.cloud.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The laptop's Cloud Storage with the official client, beyond the needs of Mayfly's port. */
class StorageApiTest extends StorageTestCase {
  @Test
  void bucketsAreDeletedOnlyWhenEmpty() {
    assertThat(storage.get("lab")).isNull();
    bucket();
    assertThat(storage.get("lab").getName()).isEqualTo("lab");
    assertThat(storage.list().iterateAll()).extracting(b -> b.getName()).containsExactly("lab");
    Assertions.assertThatThrownBy(this::bucket)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    put("a", "x");
    Assertions.assertThatThrownBy(() -> storage.delete("lab")).isInstanceOf(StorageException.class);
    storage.delete(BlobId.of("lab", "a"));

    assertThat(storage.delete("lab")).isTrue();
    assertThat(folder.resolve("lab")).doesNotExist();
  }

  @Test
  void everythingOutlivesARestart() throws IOException {
    bucket();
    var made =
        storage.create(
            BlobInfo.newBuilder("lab", "a/b")
                .setContentType("text/x")
                .setMetadata(Map.of("k", "v"))
                .build(),
            "hello".getBytes(UTF_8));
    restart();

    var found = storage.get("lab", "a/b");
    assertThat(found.getGeneration()).isEqualTo(made.getGeneration());
    assertThat(found.getMetadata()).isEqualTo(Map.of("k", "v"));
    assertThat(found.getContentType()).isEqualTo("text/x");
    assertThat(found.getCreateTimeOffsetDateTime()).isEqualTo(made.getCreateTimeOffsetDateTime());
    assertThat(text("a/b")).isEqualTo("hello");
  }

  @Test
  void objectIsFileAndFileIsObject() throws IOException {
    bucket();
    put("in/a.txt", "by the client");
    assertThat(folder.resolve("lab/in/a.txt")).hasContent("by the client");

    Files.writeString(folder.resolve("lab/in/b.txt"), "by hand");
    Files.setLastModifiedTime(
        folder.resolve("lab/in/b.txt"), FileTime.from(Instant.ofEpochSecond(1_700_000_000)));
    assertThat(text("in/b.txt")).isEqualTo("by hand");
    assertThat(storage.get("lab", "in/b.txt").getGeneration()).isEqualTo(1_700_000_000_000_000L);
    Files.createFile(folder.resolve("lab/in/b.txt.COMPLETE"));
    assertThat(storage.get("lab", "in/b.txt.COMPLETE").getSize()).isZero();
    Files.delete(folder.resolve("lab/in/a.txt"));
    assertThat(storage.get("lab", "in/a.txt")).isNull();
  }

  /** As when the process is killed between the description of a replacement and its rename. */
  @Test
  void interruptedReplacementKeepsOldObject() throws IOException {
    bucket();
    var old =
        storage.create(
            BlobInfo.newBuilder("lab", "a").setMetadata(Map.of("k", "old")).build(),
            "old".getBytes(UTF_8));
    var before = Files.readAllBytes(folder.resolve("lab/a"));
    var time = Files.getLastModifiedTime(folder.resolve("lab/a"));
    storage.create(
        BlobInfo.newBuilder("lab", "a").setMetadata(Map.of("k", "new")).build(),
        "new".getBytes(UTF_8));
    Files.write(folder.resolve("lab/a"), before);
    Files.setLastModifiedTime(folder.resolve("lab/a"), time);
    restart();

    assertThat(storage.get("lab", "a").getGeneration()).isEqualTo(old.getGeneration());
    assertThat(storage.get("lab", "a").getMetadata()).isEqualTo(Map.of("k", "old"));
  }

  /** Its size and time are kept: only that it was written tells of it. */
  @Test
  void fileOverwrittenWithinItsTimeIsSeen() throws IOException {
    bucket();
    var made = put("a", "one");
    var file = folder.resolve("lab/a");
    var time = Files.getLastModifiedTime(file);
    var before = Files.getAttribute(file, "unix:ctime");
    // The clock of a file system ticks every few milliseconds.
    do {
      Files.writeString(file, "two");
      Files.setLastModifiedTime(file, time);
    } while (Files.getAttribute(file, "unix:ctime").equals(before));
    restart();

    assertThat(text("a")).isEqualTo("two");
    assertThat(storage.get("lab", "a").getGeneration()).isGreaterThan(made);
  }

  /** The next process reads small files once, and finds what this one knew. */
  @Test
  void objectIsTheSameAfterRestart() throws IOException {
    bucket();
    var made = put("a", "one");
    restart();
    assertThat(storage.get("lab", "a").getGeneration()).isEqualTo(made);
    restart();

    assertThat(storage.get("lab", "a").getGeneration()).isEqualTo(made);
    assertThat(text("a")).isEqualTo("one");
  }

  /** People may delete any folder at any time. */
  @Test
  void foldersOfItsOwnAreMadeAgain() throws IOException {
    bucket();
    put("deep/er/a", "one");
    for (var name : List.of("lab/.mayfly-meta", "lab/deep"))
      Files.move(folder.resolve(name), folder.resolve("elsewhere-" + Path.of(name).getFileName()));
    put("deep/er/b", "two");

    assertThat(text("deep/er/b")).isEqualTo("two");
  }

  @Test
  void fileReplacedByAnotherOfItsTimeIsSeen() throws IOException {
    bucket();
    var made = put("a", "one");
    var file = folder.resolve("lab/a");
    var other = Files.writeString(folder.resolve("other"), "two");
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

    assertThat(text("a")).isEqualTo("two");
    assertThat(storage.get("lab", "a").getGeneration()).isGreaterThan(made);
  }

  @Test
  void movedFileKeepsItsDescription() throws IOException {
    bucket();
    var made = put("a", "one");
    var file = folder.resolve("lab/a");
    Files.move(file, folder.resolve("aside"));
    Files.move(folder.resolve("aside"), file);

    assertThat(text("a")).isEqualTo("one");
    assertThat(storage.get("lab", "a").getGeneration()).isEqualTo(made);
  }

  @Test
  void metadataIsChangedUnderItsOwnPrecondition() {
    bucket();
    put("a", "x");
    var blob = storage.get("lab", "a");
    var changed =
        storage.update(
            blob.toBuilder().setMetadata(Map.of("k", "v")).build(),
            BlobTargetOption.metagenerationMatch());

    assertThat(changed.getMetageneration()).isEqualTo(2);
    assertThat(changed.getGeneration()).isEqualTo(blob.getGeneration());
    assertThat(storage.get("lab", "a").getMetadata()).isEqualTo(Map.of("k", "v"));
    Assertions.assertThatThrownBy(
            () -> storage.update(blob.toBuilder().build(), BlobTargetOption.metagenerationMatch()))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.getCode()).isEqualTo(412));
  }

  @Test
  void objectsAreComposedAndCopied() {
    bucket();
    put("a", "one ");
    put("b", "two");
    var composed = storage.compose(ComposeRequest.of("lab", java.util.List.of("a", "b"), "c"));
    storage.copy(CopyRequest.of(BlobId.of("lab", "c"), BlobId.of("lab", "d"))).getResult();

    assertThat(text("c")).isEqualTo("one two");
    assertThat(text("d")).isEqualTo("one two");
    assertThat(storage.get("lab", "d").getCrc32c()).isEqualTo(composed.getCrc32c());
    Assertions.assertThatThrownBy(() ->
            storage.compose(
                ComposeRequest.newBuilder()
                    .addSource("a")
                    .setTarget(BlobInfo.newBuilder("lab", "c").build())
                    .setTargetOptions(BlobTargetOption.doesNotExist())
                    .build()))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.getCode()).isEqualTo(412));
  }

  @Test
  void linkBackIsNoFolder() throws IOException {
    bucket();
    put("a/1", "x");
    Files.createSymbolicLink(folder.resolve("lab/a/loop"), Path.of("."));
    Files.createSymbolicLink(folder.resolve("lab/a/all"), Path.of("/"));
    var elsewhere = Files.createDirectories(folder.resolveSibling("elsewhere"));
    Files.writeString(elsewhere.resolve("2"), "x");
    Files.createSymbolicLink(folder.resolve("lab/b"), elsewhere);

    assertThat(storage.list("lab").iterateAll())
        .extracting(b -> b.getName())
        .containsExactly("a/1", "b/2");
  }

  @Test
  void foldersAreListedByDelimiterPageByPage() {
    bucket();
    for (var name : new String[] {"a", "b/1", "b/2", "b0", "c/x/1", "c/y", "d"}) put(name, "x");
    var page = storage.list("lab", BlobListOption.currentDirectory(), BlobListOption.pageSize(2));

    assertThat(StreamSupport.stream(page.iterateAll().spliterator(), false).map(b -> b.getName()))
        .containsExactlyInAnyOrder("a", "b/", "b0", "c/", "d");
    assertThat(
            storage
                .list("lab", BlobListOption.startOffset("b/2"), BlobListOption.endOffset("c/y"))
                .iterateAll())
        .extracting(b -> b.getName())
        .containsExactly("b/2", "b0", "c/x/1");
  }

  @Test
  void namesThatNoFileHasAreKept() {
    bucket();
    var names =
        java.util.List.of(
            "/lead",
            "a//b",
            "dir/",
            ".mayfly-meta/x",
            "%x-a",
            "%o-b",
            "x".repeat(900),
            "é".repeat(400));
    for (var name : names) put(name, name);

    for (var name : names) assertThat(text(name)).isEqualTo(name);
    assertThat(storage.list("lab").iterateAll())
        .extracting(b -> b.getName())
        .containsExactlyInAnyOrderElementsOf(names);
    for (var name : names) assertThat(storage.delete(BlobId.of("lab", name))).isTrue();
    assertThat(storage.list("lab").iterateAll()).isEmpty();
  }
}
