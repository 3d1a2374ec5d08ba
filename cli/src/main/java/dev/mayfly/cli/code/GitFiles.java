package dev.mayfly.cli.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The files of a folder that git tracks or would track. */
final class GitFiles {
  private static final List<String> LIST =
      List.of("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate");

  /** Git hooks set these variables, which would select another repository. */
  private static final Set<String> REPOSITORY =
      Set.of("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR");

  private GitFiles() {}

  /**
   * File names relative to the folder; empty without git. A folder outside any repository is read
   * as a new repository; nested repositories are read too.
   */
  static Optional<List<String>> of(Path folder) throws IOException {
    var known =
        isInRepository(folder) ? git(folder, Map.of(), LIST) : Optional.<List<String>>empty();
    var names = known.or(() -> asNew(folder));
    if (names.isEmpty()) return names;
    var files = new ArrayList<String>();
    for (var name : names.get()) {
      var inner = folder.resolve(name);
      if (!Files.isDirectory(inner, LinkOption.NOFOLLOW_LINKS)) files.add(name);
      else
        of(inner)
            .ifPresent(own ->
                own.forEach(file -> files.add(name + (name.endsWith("/") ? "" : "/") + file)));
    }
    return Optional.of(files);
  }

  /** Whether git may find a repository, which saves a process where it would find none. */
  private static boolean isInRepository(Path folder) {
    for (var here = folder.toAbsolutePath(); here != null; here = here.getParent())
      if (Files.exists(here.resolve(".git"))) return true;
    return false;
  }

  /**
   * Applies git's ignore rules, with an empty repository elsewhere: the least that git takes for
   * one, written here because {@code git init} is one more process.
   */
  private static Optional<List<String>> asNew(Path folder) {
    try {
      var scratch = Files.createTempDirectory("mayfly-git-");
      try {
        for (var needed : List.of("objects", "refs"))
          Files.createDirectory(scratch.resolve(needed));
        Files.writeString(scratch.resolve("HEAD"), "ref: refs/heads/main\n");
        var variables =
            Map.of(
                "GIT_DIR", scratch.toString(),
                "GIT_WORK_TREE", folder.toAbsolutePath().toString());
        return git(folder, variables, LIST);
      } finally {
        delete(scratch);
      }
    } catch (IOException noTemporaryFolder) {
      return Optional.empty();
    }
  }

  private static Optional<List<String>> git(
      Path folder, Map<String, String> variables, List<String> arguments) {
    var command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(arguments);
    try {
      var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().keySet().removeAll(REPOSITORY);
      builder.environment().putAll(variables);
      var git = builder.start();
      git.getOutputStream().close();
      var names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (git.waitFor() != 0) return Optional.empty();
      return Optional.of(Arrays.stream(names.split("\0")).filter(n -> !n.isEmpty()).toList());
    } catch (IOException noGit) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (var path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
    }
  }
}
