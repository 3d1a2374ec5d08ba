package dev.mayfly.cli.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files git names, and what it is kept from doing meanwhile. */
class GitFilesTest {
  @TempDir Path temp;
  private Path repository;

  @BeforeEach
  void make() throws Exception {
    repository = Files.createDirectories(temp.resolve("code"));
    git(repository, "init", "-q");
    write("lib/a.py", "data/big.bin", "tracked.log", ".gitignore");
    Files.writeString(repository.resolve(".gitignore"), "*.log\n");
    git(repository, "add", "-f", ".");
    git(repository, "commit", "-qm", "first");
    write("new.py", "new.log", "lib/new.py");
  }

  private void write(String... names) throws IOException {
    for (var name : names) {
      var file = repository.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "text");
    }
  }

  private static String git(Path folder, String... arguments) throws Exception {
    var command =
        new ArrayList<>(
            List.of("git", "-C", folder.toString(), "-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of("-c", "core.fsmonitor=false"));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** What git itself says of a folder. */
  private static List<String> listed(Path folder) throws Exception {
    var names = git(folder, "ls-files", "-zco", "--exclude-standard", "--deduplicate");
    return Arrays.stream(names.split("\0")).filter(name -> !name.isEmpty()).sorted().toList();
  }

  private static void assertListedAsByGit(Path folder) throws Exception {
    // A sparse work tree lacks some of them.
    var there = listed(folder).stream().filter(name -> Files.exists(folder.resolve(name))).toList();
    assertThat(CodeFiles.of(folder).paths()).containsExactlyInAnyOrderElementsOf(there);
  }

  @Test
  void repositoryAndItsFoldersAreListedAsByGit() throws Exception {
    assertListedAsByGit(repository);
    assertListedAsByGit(repository.resolve("lib"));
    assertThat(listed(repository)).contains("tracked.log", "new.py").doesNotContain("new.log");
  }

  @Test
  void patternsOfTheRepositoryAloneCount() throws Exception {
    Files.writeString(repository.resolve(".git/info/exclude"), "lib/new.py\n");
    Files.writeString(temp.resolve("patterns"), "new.py\n");
    git(repository, "config", "core.excludesFile", temp.resolve("patterns").toString());

    assertListedAsByGit(repository);
    assertThat(listed(repository)).doesNotContain("lib/new.py", "new.py");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--split-index", "--no-split-index", "--fsmonitor", "--untracked-cache"})
  void everyKindOfIndexIsRead(String kind) throws Exception {
    git(repository, "update-index", kind);
    git(repository, "add", "new.py");

    assertListedAsByGit(repository);
  }

  @Test
  void sparseIndexIsRead() throws Exception {
    git(repository, "sparse-checkout", "set", "--sparse-index", "lib");

    assertListedAsByGit(repository);
  }

  @Test
  void otherHashesAreRead() throws Exception {
    var other = Files.createDirectory(temp.resolve("other"));
    git(other, "init", "-q", "--object-format=sha256");
    Files.writeString(other.resolve("a.py"), "text");
    git(other, "add", ".");

    assertListedAsByGit(other);
  }

  @Test
  void furtherWorkTreeIsRead() throws Exception {
    Files.writeString(repository.resolve(".git/info/exclude"), "x.py\n");
    var further = temp.resolve("further");
    git(repository, "worktree", "add", "-q", further.toString());
    Files.writeString(further.resolve("x.py"), "text");
    Files.writeString(further.resolve("y.py"), "text");

    assertListedAsByGit(further);
    assertThat(listed(further)).contains("y.py", "tracked.log").doesNotContain("x.py");
  }

  @Test
  void folderWithBrokenRepositoryIsReadAsNew() throws Exception {
    var broken = Files.createDirectories(temp.resolve("broken"));
    Files.writeString(broken.resolve(".git"), "gitdir: \0nowhere\n");
    Files.writeString(broken.resolve("a.py"), "text");

    Files.writeString(broken.resolve(".gitignore"), "*.log\n");
    Files.writeString(broken.resolve("a.log"), "text");

    assertThat(GitFiles.ignored(broken)).containsExactly("a.log");
  }

  /** All that git has run, in some version, of what a repository's configuration names. */
  @Test
  void noProgramThatTheFolderNamesRuns() throws Exception {
    var nested = Files.createDirectory(repository.resolve("nested"));
    git(nested, "init", "-q");
    Files.writeString(nested.resolve("b.py"), "text");
    git(nested, "add", ".");
    for (var folder : List.of(repository, nested)) makeHostile(folder);

    assertThat(CodeFiles.of(repository).paths()).contains("lib/a.py", "nested/b.py");

    assertThat(temp.resolve("ran")).doesNotExist();
  }

  private void makeHostile(Path folder) throws IOException {
    var program = temp.resolve("program");
    Files.writeString(program, "#!/bin/sh\necho \"$@\" >> " + temp.resolve("ran") + "\nexit 1\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    var hooks = Files.createDirectories(folder.resolve(".git/hooks"));
    for (var hook : List.of("post-index-change", "fsmonitor-watchman", "post-checkout"))
      Files.copy(program, hooks.resolve(hook));
    Files.writeString(folder.resolve(".gitattributes"), "* filter=evil diff=evil\n");
    Files.writeString(temp.resolve("included"), "[core]\n\tfsmonitor = " + program + "\n");
    Files.writeString(
        folder.resolve(".git/config"),
        """
        [core]
          repositoryformatversion = 1
          fsmonitor = PROGRAM
          hooksPath = HOOKS
          pager = PROGRAM
          sshCommand = PROGRAM
          editor = PROGRAM
          askPass = PROGRAM
          gitProxy = PROGRAM
          worktree = /
        [include]
          path = INCLUDED
        [includeIf "gitdir:/"]
          path = INCLUDED
        [pager]
          ls-files = PROGRAM
        [alias]
          ls-files = !PROGRAM
        [filter "evil"]
          clean = PROGRAM
          smudge = PROGRAM
          process = PROGRAM
          required = true
        [diff "evil"]
          textconv = PROGRAM
          command = PROGRAM
        [credential]
          helper = !PROGRAM
        [extensions]
          partialClone = origin
        [remote "origin"]
          url = ext::PROGRAM
          uploadpack = PROGRAM
          promisor = true
        """
            .replace("PROGRAM", program.toString())
            .replace("HOOKS", hooks.toString())
            .replace("INCLUDED", temp.resolve("included").toString()));
  }

  /** Such as a hook of git's own from which mayfly is called. */
  @Test
  void variablesOfGitSelectNoOtherRepository() throws Exception {
    var builder = ScratchRepository.of(repository).command(List.of("version"));

    assertThat(builder.environment().keySet().stream().filter(name -> name.startsWith("GIT_")))
        .isSubsetOf(
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_NO_LAZY_FETCH",
            "GIT_ALLOW_PROTOCOL",
            "GIT_CONFIG_GLOBAL",
            "GIT_CONFIG_NOSYSTEM",
            "GIT_EXEC_PATH");
  }
}
