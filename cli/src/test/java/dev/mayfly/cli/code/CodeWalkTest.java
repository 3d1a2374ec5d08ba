package dev.mayfly.cli.code;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.files.LocalTree;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.files.FolderContent.StoredFile;
import dev.mayfly.core.files.FolderContent.Unstored;
import dev.mayfly.porttests.RandomTree;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a folder whose code is not plain files alone. */
class CodeWalkTest {
  @TempDir Path temp;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createDirectory(temp.resolve("code"));
  }

  private void write(String... files) throws IOException {
    for (var file : files) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.writeString(folder.resolve(file), "content of " + file);
    }
  }

  private void rules(String file, String... lines) throws IOException {
    Files.writeString(folder.resolve(file), String.join("\n", lines) + "\n");
  }

  private void link(String name, String target) throws IOException {
    Files.createSymbolicLink(folder.resolve(name), Path.of(target));
  }

  private void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start().waitFor())
        .isZero();
  }

  private CodeFiles packed() throws IOException {
    return CodeFiles.of(folder);
  }

  private String said() throws IOException {
    return packed().leftOut().words();
  }

  @Test
  void linkToFolderIsPackedAsItsFiles() throws IOException {
    write("src/a.py", "src/lib/b.py", "run.py");
    link("link", "src");
    link("lib", "link/lib");

    assertThat(packed().paths())
        .containsExactly(
            "lib/b.py", "link/a.py", "link/lib/b.py", "run.py", "src/a.py", "src/lib/b.py");
    try (var codeBundle = CodeBundle.of(folder);
        var zip = FileSystems.newFileSystem(codeBundle.zip())) {
      assertThat(Files.readString(zip.getPath("/lib/b.py"))).isEqualTo("content of src/lib/b.py");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../outside", "missing", ".", "/etc", "data"})
  void linkToFolderElsewhereIsRefused(String target) throws IOException {
    Files.createDirectory(temp.resolve("outside"));
    write("a.py", "data/x");
    rules(".gitignore", "/data/");
    link("l", target);

    assertThatThrownBy(this::packed)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("code: 'l' is a link to " + target + ", ")
        .hasMessageContaining("or name it in .mayflyignore");
    rules(".mayflyignore", "l");
    assertThat(packed().paths()).contains("a.py");
  }

  @Test
  void environmentsOfAnyNameAreLeftOut() throws IOException {
    write("a.py", "v/lib/x.py", "v/pyvenv.cfg", "tools/c/conda-meta/history", "tools/c/bin/x");
    link("v/python", "/usr/bin/python3");

    assertThat(packed().paths()).containsExactly("a.py");
    assertThat(said())
        .isEqualTo(
            "; 2 folders left out: tools/c, v (to include one, write !NAME into .mayflyignore)");
    rules(".mayflyignore", "!tools/c");
    assertThat(packed().paths()).contains("tools/c/bin/x").doesNotContain("v/lib/x.py");
  }

  @Test
  void linkToEnvironmentElsewhereIsLeftOut() throws IOException {
    write("a.py");
    link(".venv", "/opt/envs/x");

    assertThat(packed().leftOut().folders()).containsExactly(".venv");
  }

  /** The folder may itself be reached by a link, as on systems whose /tmp is one. */
  @Test
  void linkMayNameTheFolderAsItWasGiven() throws IOException {
    write("a.py");
    var given = Files.createSymbolicLink(folder.resolveSibling("given"), folder);
    link("l", given.resolve("a.py").toString());

    assertThat(CodeFiles.of(given).paths()).containsExactly("a.py", "l");
  }

  @Test
  void emptyFoldersArePacked() throws IOException {
    write("a.py", "lib/b.py");
    Files.createDirectories(folder.resolve("logs/deep"));
    Files.createDirectories(folder.resolve("lib/out"));

    assertThat(packed().folders()).containsExactly("lib/out", "logs/deep");
    try (var codeBundle = CodeBundle.of(folder);
        var zip = FileSystems.newFileSystem(codeBundle.zip())) {
      assertThat(zip.getPath("/logs/deep")).isEmptyDirectory();
    }
  }

  @Test
  void backslashInNameIsRefused() throws IOException {
    write("a.py", "a\\b");

    assertThatThrownBy(this::packed).hasMessageContaining("'a\\b' has a name with a backslash");
  }

  @Test
  void nameThatIsNotTextIsRefused() throws Exception {
    write("a.py");
    run("sh", "-c", "touch \"$(printf 'b\\377')\"");

    assertThatThrownBy(this::packed).hasMessageContaining("has a name that is not text; rename it");
  }

  @Test
  void pipesAreNamed() throws Exception {
    write("a.py");
    run("mkfifo", "pipe");

    assertThat(said()).isEqualTo("; left out, as pipes, sockets and devices hold nothing: pipe");
  }

  @Test
  void whatGitIgnoresIsCountedAndNamed() throws IOException {
    write("a.py", "data/x", "data/y/z", "b.log", "logs/c.log", "d.log");
    rules(".gitignore", "data/", "*.log");

    assertThat(packed().paths()).containsExactly(".gitignore", "a.py");
    assertThat(packed().folders()).as("a program may log into it").containsExactly("logs");
    assertThat(said()).isEqualTo("; 4 ignored by git: b.log, d.log, data, and 1 more");
  }

  @Test
  void linesBringAlongWhatGitIgnores() throws IOException {
    write("a.py", "data/train.csv", "data/huge.bin", "b.log", "keep.log", "logs/keep.log");
    rules(".gitignore", "data/", "*.log");

    rules(".mayflyignore", "!keep.log", "!/data/*.csv");
    assertThat(packed().paths())
        .containsExactly(
            ".gitignore", ".mayflyignore", "a.py", "data/train.csv", "keep.log", "logs/keep.log");
    assertThat(said()).contains("b.log").contains("data/huge.bin").doesNotContain("brings nothing");

    rules(".mayflyignore", "!data", "huge.*");
    assertThat(packed().paths()).contains("data/train.csv").doesNotContain("data/huge.bin");
  }

  @Test
  void lineThatBringsNothingIsSaid() throws IOException {
    write("a.py", "data/train.csv");
    rules(".gitignore", "data/");
    rules(".mayflyignore", "!train.csv", "!a.py");

    assertThat(said())
        .isEqualTo("; 1 ignored by git: data; '!train.csv' in .mayflyignore brings nothing along");
  }

  @Test
  void wrongPatternIsRefusedWithItsLine() throws IOException {
    rules(".mayflyignore", "a[b");

    assertThatThrownBy(this::packed)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(".mayflyignore")
        .hasMessageContaining("a[b");
  }

  @Test
  void folderThatItsRepositoryIgnoresIsPacked() throws Exception {
    write("build/a.py", "build/x.o", "b.py");
    rules(".gitignore", "build/");
    run("git", "init", "-q");
    folder = folder.resolve("build");
    rules(".gitignore", "*.o");

    assertThat(packed().paths()).containsExactly(".gitignore", "a.py");
  }

  @Test
  void nestedRepositoryHasItsOwnRules() throws Exception {
    write("a.o", "lib/a.o", "lib/b.py");
    run("git", "init", "-q", "lib");
    rules("lib/.gitignore", "*.o");

    assertThat(packed().paths()).containsExactly("a.o", "lib/.gitignore", "lib/b.py");
    assertThat(packed().leftOut().git()).containsExactly("lib/a.o");
  }

  @Test
  void ignoreFileThatIsNoTextIsRefused() throws Exception {
    Files.write(folder.resolve(".mayflyignore"), "ok\nb\u00e4r\n".getBytes(ISO_8859_1));

    assertThatThrownBy(() -> CodeFiles.of(folder))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(".mayflyignore: is not UTF-8 text; save it as UTF-8")
        .hasMessageContaining("byte 0xE4 of line 2");
  }

  static Stream<Integer> seeds() {
    return IntStream.range(0, 30).boxed();
  }

  /** No entry is dropped: it is packed, in an archive's folder, refused, named, or below one. */
  @ParameterizedTest
  @MethodSource("seeds")
  void eachEntryIsPackedRefusedOrNamed(int seed) throws Exception {
    RandomTree.make(folder, new Random(seed));
    rules(".gitignore", "n1*", "/n2");
    rules(".mayflyignore", "/n3", "!n12");

    var content =
        CodeFiles.walked(
            folder, new LocalTree(folder), IgnoreFile.of(folder.resolve(".mayflyignore")));

    var stored =
        Stream.concat(content.files().stream().map(StoredFile::path), content.folders().stream());
    var kept = stored.toList();
    var named =
        Stream.concat(content.leftOut().stream(), content.refused().stream())
            .map(Unstored::path)
            .toList();
    try (var all = Files.walk(folder)) {
      for (var path : (Iterable<Path>) all.skip(1)::iterator) {
        var name = folder.relativize(path).toString();
        var isKept = kept.stream().anyMatch(one -> (one + "/").startsWith(name + "/"));
        var isNamed = named.stream().anyMatch(one -> (name + "/").startsWith(one + "/"));
        assertThat(isKept ^ isNamed).as(name).isTrue();
      }
    }
  }
}
