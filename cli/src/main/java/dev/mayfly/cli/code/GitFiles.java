package dev.mayfly.cli.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The files of a folder that git tracks or would track.
 *
 * <p>The folder may be foreign, and a repository's configuration may name programs that git runs.
 * So git never sees the repository itself, but a {@link ScratchRepository}.
 */
final class GitFiles {
  private static final List<String> LIST =
      List.of("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate");

  private GitFiles() {}

  /**
   * File names relative to the folder; empty without git. A folder outside any repository is read
   * as a new repository; nested repositories are read too.
   */
  static Optional<List<String>> of(Path folder) throws IOException {
    var names = listed(folder);
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

  private static Optional<List<String>> listed(Path folder) throws IOException {
    try (var scratch = ScratchRepository.of(folder)) {
      return git(scratch.command(LIST));
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
