package dev.mayfly.cli.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What git knows of a folder: the files that it tracks or would track. */
final class GitFiles {
  private GitFiles() {}

  /** Relative to the folder; empty where there is no git or no repository. */
  static Optional<List<String>> of(Path folder) {
    try {
      var git =
          new ProcessBuilder(
                  "git",
                  "-C",
                  folder.toString(),
                  "ls-files",
                  "-z",
                  "--cached",
                  "--others",
                  "--exclude-standard",
                  "--deduplicate")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
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
