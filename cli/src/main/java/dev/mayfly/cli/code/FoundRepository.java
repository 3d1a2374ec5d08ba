package dev.mayfly.cli.code;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A git repository around a folder, as data: its files are read, and no program that it names runs.
 *
 * @param top the work tree's root
 * @param place where its list of tracked files is
 * @param shared where the rest is: the same, but for a further work tree
 */
record FoundRepository(Path top, Path place, Path shared) {
  /** Larger than any that people write. */
  private static final long LARGEST_TEXT = 1 << 20;

  private static final String GITDIR = "gitdir: ";

  private static final Pattern FACT =
      Pattern.compile(
          "(?im)^\\s*(objectformat|ignorecase|precomposeunicode)\\s*=\\s*(sha1|sha256|true|false)\\s*$");

  private static final Pattern EXCLUDES =
      Pattern.compile("(?im)^\\s*excludesfile\\s*=\\s*\"?([^\"\\r\\n]+?)\"?\\s*$");

  /** A line of a configuration. */
  record Setting(String name, String value) {}

  /** The nearest repository from the folder up. */
  static Optional<FoundRepository> around(Path folder) {
    for (@Nullable Path here = folder; here != null; here = here.getParent()) {
      var top = here;
      var place = place(top);
      if (place.isPresent())
        return place.map(found -> new FoundRepository(top, found, shared(found)));
    }
    return Optional.empty();
  }

  /** {@code .git}, or what the file of that name leads to. */
  private static Optional<Path> place(Path top) {
    var git = top.resolve(".git");
    var place =
        Files.isDirectory(git)
            ? Optional.of(git)
            : text(git)
                .filter(line -> line.startsWith(GITDIR))
                .flatMap(line -> path(top, line.substring(GITDIR.length()).strip()));
    return place.filter(found -> {
      var head = found.resolve("HEAD");
      return Files.isRegularFile(head) || Files.isSymbolicLink(head);
    });
  }

  private static Path shared(Path place) {
    return text(place.resolve("commondir"))
        .flatMap(line -> path(place, line.strip()))
        .filter(Files::isDirectory)
        .orElse(place);
  }

  /** What the configuration says of the files themselves, without which git misreads them. */
  List<Setting> facts() {
    return FACT.matcher(config())
        .results()
        .map(found -> new Setting(found.group(1), found.group(2)))
        .toList();
  }

  /** The patterns in the file that the configuration names for that. */
  Optional<String> namedExcludes() {
    return EXCLUDES
        .matcher(config())
        .results()
        .map(found -> found.group(1))
        .reduce((_, last) -> last)
        .flatMap(name ->
            name.startsWith("~/")
                ? path(Path.of(System.getProperty("user.home")), name.substring(2))
                : path(top, name))
        .flatMap(FoundRepository::text);
  }

  /** The patterns in {@code info/exclude}. */
  Optional<String> excludes() {
    return text(shared.resolve("info/exclude"));
  }

  private String config() {
    return text(shared.resolve("config")).orElse("");
  }

  /** Empty for what is no path at all. */
  private static Optional<Path> path(Path base, String name) {
    try {
      return Optional.of(base.resolve(name));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(Path file) {
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > LARGEST_TEXT) return Optional.empty();
      return Optional.of(Files.readString(file, ISO_8859_1));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }
}
