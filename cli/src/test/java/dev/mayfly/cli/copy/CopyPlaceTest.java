package dev.mayfly.cli.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Places as users write them, and copies to and from a store. */
class CopyPlaceTest {
  @TempDir Path folder;
  private final List<String> notes = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "train:out, train, out",
    "sweep/3:out/a b, sweep/3, out/a b",
    "all-reduce/0.1:/mnt/x, all-reduce/0.1, /mnt/x",
    "lab-cpu-a:, lab-cpu-a, .",
    "lab-v4-b.2:a:b, lab-v4-b.2, a:b",
  })
  void machinePlaceHasTargetAndPath(String text, String target, String path) {
    assertThat(CopyPlace.of(text, folder)).isEqualTo(new CopyPlace.OnMachine(target, path));
  }

  @Test
  void otherTextIsLocal() {
    assertThat(CopyPlace.of("./a:b", folder))
        .isEqualTo(new CopyPlace.Local(folder.resolve("a:b"), false));
    assertThat(CopyPlace.of("/x/y/", folder)).isEqualTo(new CopyPlace.Local(Path.of("/x/y"), true));
    assertThat(CopyPlace.of("gs://lab/a", folder))
        .isEqualTo(new CopyPlace.InBucket(ObjectUrl.of("gs://lab/a")));
    assertThatThrownBy(() -> CopyPlace.of("gs://L/a", folder))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("is not a bucket's name");
    assertThat(CopyPlace.lastName("a/b//")).isEqualTo("b");
    assertThat(CopyPlace.lastName("a/..")).isEmpty();
  }

  @Test
  void folderGoesToStoreAndBack() throws IOException {
    var tree = Files.createDirectories(folder.resolve("tree/deep"));
    Files.writeString(tree.resolve("a b"), "one");
    Files.writeString(tree.getParent().resolve("top"), "two");
    Files.createSymbolicLink(tree.resolve("link"), Path.of("a b"));
    var store = "file://" + folder.resolve("store");

    files().send(folder.resolve("tree"), place(store + "/in/"), false);
    var into = Files.createDirectory(folder.resolve("back"));
    files().fetch(place(store + "/in/tree"), into);

    assertThat(into.resolve("tree/deep/a b")).hasContent("one");
    assertThat(into.resolve("tree/top")).hasContent("two");
    assertThat(into.resolve("tree/deep/link")).hasContent("one");
    assertThat(notes).isEmpty();
    assertThatThrownBy(() -> files().fetch(place(store + "/none"), into))
        .hasMessageContaining("there is no object");
  }

  @Test
  void whatABucketCannotHoldIsTold() throws IOException {
    var tree = Files.createDirectories(folder.resolve("tree"));
    Files.createDirectories(tree.resolve("empty"));
    Files.writeString(tree.resolve("a"), "one");
    Files.createSymbolicLink(tree.resolve("gone"), Path.of("nothing"));
    Files.createSymbolicLink(tree.resolve("out"), folder);

    var sent = files().send(tree, place("file://" + folder.resolve("store/t")), false);

    assertThat(sent).isEqualTo(3);
    assertThat(notes)
        .containsExactly(
            "left out: 'gone' is a link to nothing, which is not there; delete it",
            "left out: 'out' is a link to %s, which leads outside of the folder; copy what it leads to by itself"
                .formatted(folder),
            "left out, because a bucket has no empty folders: empty");
    Files.writeString(tree.resolve("a\tb"), "two");
    assertThatThrownBy(
            () -> files().send(tree, place("file://" + folder.resolve("store/u")), false))
        .hasMessageContaining(
            "nothing was copied: 'a\\u0009b' has a name with a control character");
  }

  @Test
  void emptyFoldersOfAnOutputComeBack() throws IOException {
    var store = Files.createDirectories(folder.resolve("store/out"));
    Files.writeString(
        store.resolve("index.json"),
        "{\"job\":\"j\",\"files\":[],\"folders\":[\"j.s0e1/logs\",\"../../evil\",\"/evil\"]}");

    files().fetch(place("file://" + store), Files.createDirectory(folder.resolve("back")));

    assertThat(folder.resolve("back/out/j.s0e1/logs")).isEmptyDirectory();
    assertThat(folder.resolve("evil")).doesNotExist();
    assertThat(Path.of("/evil")).doesNotExist();
  }

  @Test
  void copyIsCalledAsItsSourceIsWritten() {
    var places =
        List.of(
            "train:a/b", "train:", "sweep/3.1:.", "w-1:../..", "gs://lab", "gs://lab/x/y/", "d");

    assertThat(places.stream().map(text -> CopyPlace.of(text, folder).copyName()))
        .containsExactly("b", "train", "sweep-3.1", "w-1", "lab", "y", "d");
  }

  @Test
  void objectIsReplacedOnlyByForce() throws IOException {
    var file = Files.writeString(folder.resolve("f"), "one");
    var url = place("file://" + folder.resolve("store") + "/f");
    files().send(file, url, false);
    Files.writeString(file, "two");

    assertThatThrownBy(() -> files().send(file, url, false))
        .hasMessageContaining("f exists; --force replaces it");
    files().send(file, url, true);

    assertThat(folder.resolve("store/f")).hasContent("two");
  }

  @Test
  void folderIsRefusedBeforeItsFirstFileIsSent() throws IOException {
    var tree = Files.createDirectory(folder.resolve("tree"));
    for (var name : List.of("a", "b", "c")) Files.writeString(tree.resolve(name), "one");
    var store = folder.resolve("store");
    var url = place("file://" + store + "/in");
    files().send(tree.resolve("b"), place("file://" + store + "/in/b"), false);
    var link = Files.createSymbolicLink(folder.resolve("link"), tree);

    assertThatThrownBy(() -> files().send(link, url, false))
        .hasMessageContaining("1 of 3 files is there already, first " + url.url().append("/b"))
        .hasMessageContaining("nothing was copied");
    assertThat(store.resolve("in/a")).doesNotExist();
    files().send(link, url, true);

    assertThat(store.resolve("in/c")).hasContent("one");
    assertThat(notes).isEmpty();
  }

  private static CopyPlace.InBucket place(String url) {
    return new CopyPlace.InBucket(ObjectUrl.of(url));
  }

  private BucketFiles files() {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    var screen = TestScreen.plain(nowhere, nowhere, 80);
    var objects =
        ObjectStores.of(new StoreSettings(Optional.empty(), Optional.empty(), "lab-batch"));
    return new BucketFiles(objects, new CopyProgress(screen, InstantSource.system()), notes::add);
  }
}
