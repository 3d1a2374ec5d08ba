package dev.mayfly.cli.code;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cli.files.LocalFolders;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.text.GitReference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files of one commit, fetched into a repository of our own by the user's git, with the user's
 * rights. What is fetched names no program for git to run: hooks and configuration do not travel,
 * and no template brings any. Closing it deletes it.
 *
 * @param folder what is the code
 * @param found the reference at the commit that it was
 */
public record GitCheckout(Path folder, GitReference found, Path scratch) implements AutoCloseable {
  /** A shortened commit, which no server gives out by that name. */
  private static final Pattern MAYBE_COMMIT = Pattern.compile("[0-9a-f]{4,64}");

  private static final String FETCHED = "FETCH_HEAD";

  /**
   * Throws {@link InvalidInputException} if there is no such repository, revision or folder, with
   * what git says.
   *
   * @param base what a path without a scheme is relative to
   */
  public static GitCheckout of(GitReference reference, Path base) {
    var local = reference.isFolder() ? Optional.of(base.resolve(reference.url())) : none();
    var repository = local.map(GitCheckout::top);
    var url = repository.map(top -> "file://" + top).orElse(reference.url());
    try {
      var scratch = Files.createTempDirectory("mayfly-checkout-");
      try {
        return fetched(reference, url, local, repository, scratch);
      } catch (RuntimeException | IOException e) {
        LocalFolders.delete(scratch);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot check out " + reference.words() + ": " + e, e);
    }
  }

  private static Optional<Path> none() {
    return Optional.empty();
  }

  private static Path top(Path folder) {
    var here = folder.toAbsolutePath().normalize();
    return FoundRepository.around(here)
        .map(FoundRepository::top)
        .orElseThrow(() ->
            refused(
                here
                    + " is in no git repository; change to one, or write git+https://HOST/PATH@REF"));
  }

  private static GitCheckout fetched(
      GitReference reference,
      String url,
      Optional<Path> local,
      Optional<Path> repository,
      Path scratch)
      throws IOException {
    var git = new Git(scratch);
    git.must("init", "--quiet", "--template=", ".");
    git.must("remote", "add", "origin", url);
    var name = reference.revision().orElse("HEAD");
    var commit = fetch(git, reference, name);
    git.must("checkout", "--quiet", "--detach", commit);
    if (Files.exists(scratch.resolve(".gitmodules")))
      git.must("submodule", "--quiet", "update", "--init", "--recursive", "--depth", "1");
    var place =
        local
            .map(folder -> repository.orElseThrow().relativize(folder.toAbsolutePath().normalize()))
            .map(scratch::resolve)
            .orElse(scratch);
    var code = reference.subdirectory().map(place::resolve).orElse(place).normalize();
    if (!code.startsWith(scratch) || !Files.isDirectory(code))
      throw refused(
          "%s has no folder %s at %s"
              .formatted(url, scratch.relativize(code), commit.substring(0, 12)));
    return new GitCheckout(code, reference.at(url, commit), scratch);
  }

  /** The commit that the name stands for, with its files. */
  private static String fetch(Git git, GitReference reference, String name) {
    var fetched = git.run("fetch", "--quiet", "--no-tags", "--depth", "1", "origin", name);
    if (fetched.isEmpty()) return git.must("rev-parse", "--verify", FETCHED + "^{commit}");
    // A server that has the commit may give out branches and tags alone, and of no shortened name.
    if (MAYBE_COMMIT.matcher(name).matches()
        && git.run("fetch", "--quiet", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*")
            .isEmpty()) {
      var found = git.output("rev-parse", "--verify", "--quiet", name + "^{commit}");
      if (found.isPresent()) return found.get();
    }
    throw refused("cannot fetch %s: git says: %s".formatted(reference.words(), fetched.get()));
  }

  @Override
  public void close() {
    try {
      LocalFolders.delete(scratch);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + scratch, e);
    }
  }

  private static InvalidInputException refused(String message) {
    return new InvalidInputException(List.of(new InputError("code", message)));
  }

  /** The user's git in a repository. */
  private record Git(Path repository) {
    /** What it prints. Throws {@link InvalidInputException} with its last line if it fails. */
    String must(String... arguments) {
      var end = end(arguments);
      if (end.status != 0) throw refused("git %s says: %s".formatted(arguments[0], end.lastLine()));
      return end.output.strip();
    }

    /** Its last line if it fails. */
    Optional<String> run(String... arguments) {
      var end = end(arguments);
      return end.status == 0 ? Optional.empty() : Optional.of(end.lastLine());
    }

    /** What it prints, unless it fails. */
    Optional<String> output(String... arguments) {
      var end = end(arguments);
      return end.status == 0 ? Optional.of(end.output.strip()) : Optional.empty();
    }

    private record End(int status, String output) {
      String lastLine() {
        var lines = output.strip().lines().toList();
        return lines.isEmpty() ? "status " + status : lines.getLast();
      }
    }

    private End end(String... arguments) {
      var command = new ArrayList<>(List.of("git", "--no-pager", "-C", repository.toString()));
      command.addAll(List.of("-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"));
      command.addAll(List.of(arguments));
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      var variables = builder.environment();
      // Git's hooks set some of these, which select another repository.
      variables.keySet().removeIf(name -> name.matches("GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX)"));
      // A password is a credential helper's to give: nobody may be at the terminal.
      variables.put("GIT_TERMINAL_PROMPT", "0");
      try {
        var git = builder.start();
        git.getOutputStream().close();
        var output = new String(git.getInputStream().readAllBytes(), UTF_8);
        return new End(git.waitFor(), output);
      } catch (IOException e) {
        throw refused("git cannot be started: " + e.getMessage() + "; install git");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw refused("git was interrupted");
      }
    }
  }
}
