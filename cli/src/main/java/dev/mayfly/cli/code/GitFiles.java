package dev.mayfly.cli.code;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What git ignores in a folder.
 *
 * <p>The folder may be foreign, and a repository's configuration may name programs that git runs.
 * So git never sees the repository itself, but a {@link ScratchRepository}.
 */
final class GitFiles {
  private static final List<String> LIST =
      List.of("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory");

  /** What git says of a folder that its repository ignores as a whole. */
  private static final String ALL = "./";

  private GitFiles() {}

  /**
   * Files and whole folders, relative to the folder and without a slash at the end; empty without
   * git. A folder outside any repository is read as a new repository, and so is one that its
   * repository ignores. Repositories in it have rules of their own and are not looked into.
   */
  static Set<String> ignored(Path folder) {
    var names = new TreeSet<>(listed(() -> ScratchRepository.of(folder)));
    if (names.contains(ALL)) names = new TreeSet<>(listed(() -> ScratchRepository.empty(folder)));
    var ignored = new HashSet<String>();
    for (var name : names) {
      // Git also names a folder all of whose files are ignored one by one.
      var next = names.higher(name);
      var isFolder = name.endsWith("/");
      if (!(isFolder && next != null && next.startsWith(name)))
        ignored.add(isFolder ? name.substring(0, name.length() - 1) : name);
    }
    return ignored;
  }

  private interface Source {
    ScratchRepository open() throws IOException;
  }

  private static List<String> listed(Source source) {
    try (var scratch = source.open()) {
      return git(scratch.command(LIST)).orElse(List.of());
    } catch (IOException noTemporaryFolder) {
      throw new UncheckedIOException(noTemporaryFolder);
    }
  }

  private static Optional<List<String>> git(ProcessBuilder command) {
    try {
      var git = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
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
}
