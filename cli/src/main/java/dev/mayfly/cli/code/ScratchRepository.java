package dev.mayfly.cli.code;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mayfly.cli.files.LocalFolders;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A repository of our own that stands for the one around a folder. It has that one's list of
 * tracked files and patterns of ignored ones, and nothing else of it: neither its configuration,
 * which may name programs for git to run ({@code core.fsmonitor}, {@code core.sshCommand} and more
 * with each version of git), nor its hooks. The user's own configuration counts as ever.
 *
 * <p>A folder outside any repository gets an empty one.
 */
final class ScratchRepository implements Closeable {
  private static final String OBJECTS = "objects";

  /** What the user may have asked git for in general, and what has no use here. */
  private static final List<String> OFF =
      List.of("core.fsmonitor=false", "core.untrackedCache=false", "core.hooksPath=/dev/null");

  private final Path folder;
  private final Path where;
  private final Optional<FoundRepository> found;

  private ScratchRepository(Path folder, Path where, Optional<FoundRepository> found) {
    this.folder = folder;
    this.where = where;
    this.found = found;
  }

  /** Closing it deletes it. */
  static ScratchRepository of(Path folder) throws IOException {
    return of(folder, FoundRepository.around(folder.toAbsolutePath().normalize()));
  }

  /** An empty one, whatever repository is around the folder. */
  static ScratchRepository empty(Path folder) throws IOException {
    return of(folder, Optional.empty());
  }

  private static ScratchRepository of(Path folder, Optional<FoundRepository> found)
      throws IOException {
    var where = folder.toAbsolutePath().normalize();
    var scratch = Files.createTempDirectory("mayfly-git-");
    var made = new ScratchRepository(scratch, where, found);
    try {
      made.fill();
      return made;
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** The least that git takes for a repository: {@code git init} is one more process. */
  private void fill() throws IOException {
    for (var needed : List.of(OBJECTS, "refs", "info"))
      Files.createDirectory(folder.resolve(needed));
    Files.writeString(folder.resolve("HEAD"), "ref: refs/heads/main\n");
    Files.writeString(folder.resolve("config"), config());
    if (found.isEmpty()) return;
    copyIndex(found.get().place());
    var excludes = found.get().excludes();
    if (excludes.isPresent())
      Files.writeString(folder.resolve("info/exclude"), excludes.get(), ISO_8859_1);
  }

  private String config() throws IOException {
    var core = new StringBuilder("[core]\n\trepositoryformatversion = 1\n\tbare = false\n");
    var extensions = new StringBuilder("[extensions]\n");
    for (var fact : found.map(FoundRepository::facts).orElse(List.of()))
      (fact.name().equalsIgnoreCase("objectformat") ? extensions : core)
          .append("\t%s = %s\n".formatted(fact.name(), fact.value()));
    var patterns = found.flatMap(FoundRepository::namedExcludes);
    if (patterns.isPresent()) {
      var file = Files.writeString(folder.resolve("excludes"), patterns.get(), ISO_8859_1);
      var quoted = file.toString().replace("\\", "\\\\").replace("\"", "\\\"");
      core.append("\texcludesFile = \"%s\"\n".formatted(quoted));
    }
    return core.toString() + extensions;
  }

  /** With the parts of an index that git split. */
  private void copyIndex(Path place) throws IOException {
    copy(place.resolve("index"));
    try (var parts = Files.newDirectoryStream(place, "sharedindex.*")) {
      for (var part : parts) copy(part);
    }
  }

  private void copy(Path file) throws IOException {
    if (Files.isRegularFile(file)) Files.copy(file, folder.resolve(file.getFileName()));
  }

  /** Git with the arguments, run in the folder. */
  ProcessBuilder command(List<String> arguments) {
    var command = new ArrayList<>(List.of("git", "--no-pager", "-C", where.toString()));
    for (var off : OFF) command.addAll(List.of("-c", off));
    command.addAll(arguments);
    var builder = new ProcessBuilder(command);
    var variables = builder.environment();
    // Git's hooks set some of these, which select another repository.
    variables
        .keySet()
        .removeIf(name ->
            name.startsWith("GIT_")
                && !name.startsWith("GIT_CONFIG")
                && !name.equals("GIT_EXEC_PATH"));
    variables.put("GIT_DIR", folder.toString());
    variables.put("GIT_WORK_TREE", found.map(FoundRepository::top).orElse(where).toString());
    found
        .map(real -> real.shared().resolve(OBJECTS))
        .filter(Files::isDirectory)
        .ifPresent(place -> variables.put("GIT_OBJECT_DIRECTORY", place.toString()));
    // No object is fetched, wherever a list of tracked files would have it from.
    variables.put("GIT_NO_LAZY_FETCH", "1");
    variables.put("GIT_ALLOW_PROTOCOL", "");
    return builder;
  }

  @Override
  public void close() throws IOException {
    LocalFolders.delete(folder);
  }
}
