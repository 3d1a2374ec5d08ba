package dev.mayfly.cli.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.text.GitReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real repositories: what is committed, and nothing else. */
class GitCheckoutTest {
  @TempDir Path temp;
  private Path repository;

  @BeforeEach
  void make() throws Exception {
    repository = Files.createDirectories(temp.resolve("code"));
    git("init", "-q", "-b", "main");
    write("train.py", "first");
    write("models/a.py", "model");
    git("add", ".");
    git("commit", "-qm", "first");
    git("tag", "v1");
    write("train.py", "second");
    git("commit", "-qam", "second");
    git("checkout", "-qb", "feature/x");
    write("train.py", "third");
    git("commit", "-qam", "third");
    git("checkout", "-q", "main");
    write("train.py", "not committed");
    write("new.py", "not tracked");
  }

  private void write(String name, String text) throws Exception {
    var file = repository.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String git(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("git", "-C", repository.toString()));
    command.addAll(List.of("-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of("-c", "protocol.file.allow=always"));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.strip();
  }

  private GitCheckout checkout(String code) {
    return GitCheckout.of(GitReference.of(code), repository);
  }

  private String text(String code) throws Exception {
    try (var checkout = checkout(code)) {
      return Files.readString(checkout.folder().resolve("train.py"));
    }
  }

  private String url() {
    return "git+file://" + repository;
  }

  @Test
  void tagBranchAndCommitAreFetched() throws Exception {
    var first = git("rev-parse", "v1");

    assertThat(text(url() + "@v1")).isEqualTo("first");
    assertThat(text(url())).isEqualTo("second");
    assertThat(text(url() + "@feature/x")).isEqualTo("third");
    assertThat(text(url() + "@" + first)).isEqualTo("first");
    assertThat(text(url() + "@" + first.substring(0, 8))).isEqualTo("first");
    assertThat(text("git+.@v1")).isEqualTo("first");
  }

  @Test
  void uncommittedChangesStayAway() {
    try (var checkout = checkout("git+.@main")) {
      assertThat(checkout.folder().resolve("new.py")).doesNotExist();
      assertThat(checkout.folder().resolve("train.py")).hasContent("second");
    }
  }

  @Test
  void foundReferenceNamesTheCommit() throws Exception {
    try (var checkout = checkout("git+.@v1")) {
      assertThat(checkout.found().commit()).contains(git("rev-parse", "v1"));
      assertThat(checkout.found().asked()).contains("v1");
      assertThat(checkout.found().url()).isEqualTo("file://" + repository.toRealPath());
    }
  }

  @Test
  void subdirectoryAloneIsTheCode() {
    try (var checkout = checkout(url() + "#subdirectory=models");
        var below = GitCheckout.of(GitReference.of("git+.@v1"), repository.resolve("models"))) {
      assertThat(checkout.folder().resolve("a.py")).hasContent("model");
      assertThat(below.folder().resolve("a.py")).hasContent("model");
    }
  }

  @Test
  void unknownPlacesAreRefusedWithGitsWords() {
    assertThatThrownBy(() -> checkout(url() + "@nowhere"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("couldn't find remote ref nowhere");
    assertThatThrownBy(() -> checkout(url() + "@abcdef12"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("abcdef12");
    assertThatThrownBy(() -> checkout(url() + "@v1#subdirectory=none"))
        .hasMessageContaining("has no folder none");
    assertThatThrownBy(() -> checkout("git+file://" + temp.resolve("nothing")))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> GitCheckout.of(GitReference.of("git+.@v1"), temp))
        .hasMessageContaining("is in no git repository");
  }

  @Test
  void hooksAndFiltersOfTheRepositoryDoNotRun() throws Exception {
    var mark = temp.resolve("ran");
    var hook = repository.resolve(".git/hooks/post-checkout");
    Files.createDirectories(hook.getParent());
    Files.writeString(hook, "#!/bin/sh\ntouch " + mark + "\n");
    assertThat(hook.toFile().setExecutable(true)).isTrue();
    git("config", "filter.evil.smudge", "touch " + mark);
    write(".gitattributes", "*.py filter=evil\n");
    git("add", ".gitattributes");
    git("commit", "-qm", "filters");

    text("git+.@main");

    assertThat(mark).doesNotExist();
  }

  @Test
  void pointersOfLargeFilesAreNamed() throws Exception {
    write("weights.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n");
    git("add", "weights.bin");
    git("commit", "-qm", "weights");

    try (var checkout = checkout("git+.@main");
        var bundle = CodeBundle.of(checkout.folder())) {
      assertThat(bundle.pointers()).containsExactly("weights.bin");
    }
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    Path scratch;
    try (var checkout = checkout("git+.@main")) {
      scratch = checkout.scratch();
    }

    assertThat(scratch).doesNotExist();
  }
}
