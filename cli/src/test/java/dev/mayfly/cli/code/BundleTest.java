package dev.mayfly.cli.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.gcs.ObjectStores;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleTest {
  @TempDir Path temp;

  @Test
  void equalTreesAreEqualZipsHoweverTheyWereMade() throws IOException {
    var one = tree("one", "a.py", "lib/b.py", "lib/c/d.py");
    var two = tree("two", "lib/c/d.py", "a.py", "lib/b.py");
    Files.setLastModifiedTime(
        two.resolve("a.py"), FileTime.from(Instant.parse("2001-02-03T04:05:06Z")));

    try (var first = Bundle.of(one);
        var second = Bundle.of(two)) {
      assertThat(second.sha256()).isEqualTo(first.sha256());
      Files.writeString(two.resolve("a.py"), "other");
      try (var third = Bundle.of(two)) {
        assertThat(third.sha256()).isNotEqualTo(first.sha256());
      }
    }
  }

  @Test
  void noEntryKnowsWhenItWasPacked() throws IOException {
    var folder = tree("code", "a.py", "lib/b.py");

    try (var bundle = Bundle.of(folder);
        var zip = FileSystems.newFileSystem(bundle.zip())) {
      assertThat(List.of(zip.getPath("/a.py"), zip.getPath("/lib"), zip.getPath("/lib/b.py")))
          .allSatisfy(entry -> {
            var times = Files.readAttributes(entry, BasicFileAttributes.class);
            assertThat(
                    List.of(times.lastModifiedTime(), times.lastAccessTime(), times.creationTime()))
                .containsOnly(FileTime.from(Instant.parse("2000-01-01T00:00:00Z")));
          });
    }
  }

  @Test
  void aFileKeepsWhetherItCanBeRun() throws IOException {
    var folder = tree("code", "run.sh", "data.txt");
    assertThat(folder.resolve("run.sh").toFile().setExecutable(true)).isTrue();

    try (var bundle = Bundle.of(folder);
        var zip =
            FileSystems.newFileSystem(bundle.zip(), Map.of("enablePosixFileAttributes", "true"))) {
      assertThat(Files.getPosixFilePermissions(zip.getPath("/run.sh")))
          .contains(PosixFilePermission.OWNER_EXECUTE);
      assertThat(Files.getPosixFilePermissions(zip.getPath("/data.txt")))
          .doesNotContain(PosixFilePermission.OWNER_EXECUTE);
    }
  }

  @Test
  void whatIsNoCodeStaysHere() throws IOException {
    var folder =
        tree(
            "code",
            "a.py",
            ".git/config",
            "lib/__pycache__/x.pyc",
            "data/big.bin",
            "lib/old.tmp",
            "keep/data.csv");
    Files.writeString(folder.resolve(".mayflyignore"), "# data\n/data/\n*.tmp\nkeep/*.csv\n");

    var tree = Tree.of(folder);
    assertThat(tree.files()).containsExactly(".mayflyignore", "a.py");
    assertThat(tree.leftOut()).containsExactly("lib/__pycache__");
  }

  @Test
  void folderOfResultsIsCodeUnlessIgnored() throws IOException {
    var folder = tree("code", "data/target/labels.json", "build/x", "node_modules/a/b.js");
    Files.writeString(folder.resolve(".mayflyignore"), "!node_modules\n");

    assertThat(Tree.of(folder).files())
        .containsExactly(
            ".mayflyignore", "build/x", "data/target/labels.json", "node_modules/a/b.js");
    assertThat(Tree.of(folder).leftOut()).isEmpty();
  }

  @Test
  void gitignoreCountsOutsideRepositoryToo() throws IOException {
    var folder = tree("code", "a.py", "secret.env", "lib/b.py", "lib/c.o", "lib/keep.o");
    Files.writeString(folder.resolve(".gitignore"), "*.env\n");
    Files.writeString(folder.resolve("lib/.gitignore"), "*.o\n!keep.o\n");

    assertThat(Tree.of(folder).files())
        .containsExactly(".gitignore", "a.py", "lib/.gitignore", "lib/b.py", "lib/keep.o");
  }

  @Test
  void repositoryWithinFolderGoesWithIt() throws Exception {
    var folder = tree("code", "a.py", "lib/b.py", "lib/c.py");
    var git = new ProcessBuilder("git", "init", "-q", folder.resolve("lib").toString()).start();
    assertThat(git.waitFor()).isZero();

    assertThat(Tree.of(folder).files()).containsExactly("a.py", "lib/b.py", "lib/c.py");
  }

  @Test
  void linksToWhatIsNotPackedAreRefused() throws IOException {
    Files.writeString(temp.resolve("id_rsa"), "key");
    for (var target : List.of("../id_rsa", ".git/config", "kept.env")) {
      var folder = tree("code", "a.py", ".git/config", "kept.env");
      Files.writeString(folder.resolve(".mayflyignore"), "*.env\n");
      var link = Files.createSymbolicLink(folder.resolve("data.txt"), Path.of(target));

      assertThatThrownBy(() -> Bundle.of(folder))
          .isInstanceOf(Invalid.class)
          .hasMessageContainingAll("data.txt", Path.of(target).getFileName().toString(), "a copy");
      Files.writeString(folder.resolve(".mayflyignore"), "*.env\n/data.txt\n");
      assertThat(Tree.of(folder).files()).containsExactly(".mayflyignore", "a.py");
      Files.delete(link);
    }
  }

  @Test
  void linksToPackedFilesAreTheirContent() throws IOException {
    var real = tree("code", "a.py", "lib/b.py");
    Files.createSymbolicLink(real.resolve("same.py"), Path.of("lib", "b.py"));
    // The folder itself may be reached over a link.
    var folder = Files.createSymbolicLink(temp.resolve("shortcut"), real);

    try (var bundle = Bundle.of(folder);
        var zip = FileSystems.newFileSystem(bundle.zip())) {
      assertThat(Files.readString(zip.getPath("/same.py"))).isEqualTo("content of lib/b.py");
    }
  }

  @Test
  void tooMuchIsRefusedWithWhatIsLargest() throws IOException {
    var folder = tree("code", "a.py", "data/x");
    try (var big = new RandomAccessFile(folder.resolve("data/big.bin").toFile(), "rw")) {
      big.setLength(Tree.CAP + 1);
    }

    assertThatThrownBy(() -> Bundle.of(folder))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("data/ (500 MB)")
        .hasMessageContaining(".mayflyignore");
    assertThatThrownBy(() -> Bundle.of(folder.resolve("nope")))
        .hasMessageContaining("is no folder");
  }

  @Test
  void aBundleIsUploadedOnce() throws IOException {
    var bucket = "file://" + temp.resolve("bucket");
    var objects = ObjectStores.of(Map.of());

    try (var bundle = Bundle.of(tree("code", "a.py"))) {
      assertThat(bundle.upload(objects, bucket)).isTrue();
      assertThat(bundle.upload(objects, bucket)).isFalse();
      assertThat(bundle.place(bucket).toString())
          .endsWith("/mayfly/.code/" + bundle.sha256() + ".zip");
      assertThat(objects.find(bundle.place(bucket)).orElseThrow().size()).isEqualTo(bundle.size());
    }
  }

  private Path tree(String name, String... files) throws IOException {
    var folder = temp.resolve(name);
    for (var file : files) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.writeString(folder.resolve(file), "content of " + file);
    }
    return folder;
  }
}
