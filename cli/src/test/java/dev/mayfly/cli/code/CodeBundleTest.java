package dev.mayfly.cli.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
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

class CodeBundleTest {
  @TempDir Path temp;

  @Test
  void equalTreesGiveEqualZips() throws IOException {
    var one = tree("one", "a.py", "lib/b.py", "lib/c/d.py");
    var two = tree("two", "lib/c/d.py", "a.py", "lib/b.py");
    Files.setLastModifiedTime(
        two.resolve("a.py"), FileTime.from(Instant.parse("2001-02-03T04:05:06Z")));

    try (var first = CodeBundle.of(one);
        var second = CodeBundle.of(two)) {
      assertThat(second.sha256()).isEqualTo(first.sha256());
      Files.writeString(two.resolve("a.py"), "other");
      try (var third = CodeBundle.of(two)) {
        assertThat(third.sha256()).isNotEqualTo(first.sha256());
      }
    }
  }

  @Test
  void zipEntriesHaveFixedTime() throws IOException {
    var folder = tree("code", "a.py", "lib/b.py");

    try (var codeBundle = CodeBundle.of(folder);
        var zip = FileSystems.newFileSystem(codeBundle.zip())) {
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
  void executableBitIsKept() throws IOException {
    var folder = tree("code", "run.sh", "data.txt");
    assertThat(folder.resolve("run.sh").toFile().setExecutable(true)).isTrue();

    try (var codeBundle = CodeBundle.of(folder);
        var zip =
            FileSystems.newFileSystem(
                codeBundle.zip(), Map.of("enablePosixFileAttributes", "true"))) {
      assertThat(Files.getPosixFilePermissions(zip.getPath("/run.sh")))
          .contains(PosixFilePermission.OWNER_EXECUTE);
      assertThat(Files.getPosixFilePermissions(zip.getPath("/data.txt")))
          .doesNotContain(PosixFilePermission.OWNER_EXECUTE);
    }
  }

  @Test
  void ignoredFilesAreLeftOut() throws IOException {
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

    var codeFiles = CodeFiles.of(folder);
    assertThat(codeFiles.paths()).containsExactly(".mayflyignore", "a.py");
    assertThat(codeFiles.leftOut().folders()).containsExactly("lib/__pycache__");
  }

  @Test
  void folderOfResultsIsCodeUnlessIgnored() throws IOException {
    var folder = tree("code", "data/target/labels.json", "build/x", "node_modules/a/b.js");
    Files.writeString(folder.resolve(".mayflyignore"), "!node_modules\n");

    assertThat(CodeFiles.of(folder).paths())
        .containsExactly(
            ".mayflyignore", "build/x", "data/target/labels.json", "node_modules/a/b.js");
    assertThat(CodeFiles.of(folder).leftOut().words()).isEmpty();
  }

  @Test
  void gitignoreCountsOutsideRepositoryToo() throws IOException {
    var folder = tree("code", "a.py", "secret.env", "lib/b.py", "lib/c.o", "lib/keep.o");
    Files.writeString(folder.resolve(".gitignore"), "*.env\n");
    Files.writeString(folder.resolve("lib/.gitignore"), "*.o\n!keep.o\n");

    assertThat(CodeFiles.of(folder).paths())
        .containsExactly(".gitignore", "a.py", "lib/.gitignore", "lib/b.py", "lib/keep.o");
  }

  @Test
  void repositoryWithinFolderGoesWithIt() throws Exception {
    var folder = tree("code", "a.py", "lib/b.py", "lib/c.py");
    var git = new ProcessBuilder("git", "init", "-q", folder.resolve("lib").toString()).start();
    assertThat(git.waitFor()).isZero();

    assertThat(CodeFiles.of(folder).paths()).containsExactly("a.py", "lib/b.py", "lib/c.py");
  }

  @Test
  void linksToWhatIsNotPackedAreRefused() throws IOException {
    Files.writeString(temp.resolve("id_rsa"), "key");
    for (var target : List.of("../id_rsa", ".git/config", "kept.env")) {
      var folder = tree("code", "a.py", ".git/config", "kept.env");
      Files.writeString(folder.resolve(".mayflyignore"), "*.env\n");
      var link = Files.createSymbolicLink(folder.resolve("data.txt"), Path.of(target));

      assertThatThrownBy(() -> CodeBundle.of(folder))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("data.txt", Path.of(target).getFileName().toString(), "a copy");
      Files.writeString(folder.resolve(".mayflyignore"), "*.env\n/data.txt\n");
      assertThat(CodeFiles.of(folder).paths()).containsExactly(".mayflyignore", "a.py");
      Files.delete(link);
    }
  }

  @Test
  void linksToPackedFilesAreTheirContent() throws IOException {
    var real = tree("code", "a.py", "lib/b.py");
    Files.createSymbolicLink(real.resolve("same.py"), Path.of("lib", "b.py"));
    // The folder itself may be reached over a link.
    var folder = Files.createSymbolicLink(temp.resolve("shortcut"), real);

    try (var codeBundle = CodeBundle.of(folder);
        var zip = FileSystems.newFileSystem(codeBundle.zip())) {
      assertThat(Files.readString(zip.getPath("/same.py"))).isEqualTo("content of lib/b.py");
    }
  }

  @Test
  void oversizedFolderIsRefusedWithLargestEntries() throws IOException {
    var folder = tree("code", "a.py", "data/x");
    try (var big = new RandomAccessFile(folder.resolve("data/big.bin").toFile(), "rw")) {
      big.setLength(CodeFiles.CAP + 1);
    }

    assertThatThrownBy(() -> CodeBundle.of(folder))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("data/ (500 MB)")
        .hasMessageContaining(".mayflyignore");
    assertThatThrownBy(() -> CodeBundle.of(folder.resolve("nope")))
        .hasMessageContaining("is not a folder");
  }

  @Test
  void bundleIsUploadedOnce() throws IOException {
    var bucket = "file://" + temp.resolve("bucket");
    var objectStore = ObjectStores.of(Map.of());

    try (var codeBundle = CodeBundle.of(tree("code", "a.py"))) {
      assertThat(codeBundle.upload(objectStore, bucket)).isTrue();
      assertThat(codeBundle.upload(objectStore, bucket)).isFalse();
      assertThat(codeBundle.place(bucket).toString())
          .endsWith("/mayfly/.code/" + codeBundle.sha256() + ".zip");
      assertThat(objectStore.find(codeBundle.place(bucket)).orElseThrow().size())
          .isEqualTo(codeBundle.size());
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
