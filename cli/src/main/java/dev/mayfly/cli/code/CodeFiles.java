package dev.mayfly.cli.code;

import dev.mayfly.core.error.InvalidInputException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The code files of a folder: all files that git does not ignore, or all files without git; minus
 * those that {@code .mayflyignore} names and minus generated folders.
 *
 * @param files relative to the root, with slashes, sorted by name
 * @param leftOut the folders that are left out by default
 */
record CodeFiles(Path root, List<String> files, List<String> leftOut) {
  /** The size limit in bytes. */
  static final long CAP = 500_000_000;

  private static final String GIT = ".git";

  /** Folder names at any depth. Their content is large, generated and specific to this machine. */
  private static final Set<String> GENERATED = Set.of("__pycache__", "node_modules", ".venv");

  static CodeFiles of(Path folder) throws IOException {
    if (!Files.isDirectory(folder))
      throw new InvalidInputException(
          "code", "'" + folder + "' is not a folder; write a path relative to the job's file");
    var ignored = IgnoreFile.of(folder.resolve(".mayflyignore"));
    var files = new ArrayList<String>();
    var leftOut = new TreeSet<String>();
    for (var file : GitFiles.of(folder).orElseGet(() -> walk(folder, ignored, leftOut))) {
      var generated = generatedFolder(file, ignored);
      if (generated.isPresent() && !ignored.matches(file)) leftOut.add(generated.get());
      else if (generated.isEmpty() && !ignored.matches(file) && isCode(folder, file))
        files.add(file);
    }
    files.sort(Comparator.naturalOrder());
    var codeFiles = new CodeFiles(folder, List.copyOf(files), List.copyOf(leftOut));
    codeFiles.checkLinks();
    codeFiles.check();
    return codeFiles;
  }

  private static boolean isCode(Path folder, String file) {
    return !(file.startsWith(GIT + "/") || file.contains("/" + GIT + "/"))
        && Files.isRegularFile(folder.resolve(file));
  }

  /** The file's outermost generated folder, unless {@code .mayflyignore} includes it. */
  private static Optional<String> generatedFolder(String file, IgnoreFile ignored) {
    for (var end = file.indexOf('/'); end >= 0; end = file.indexOf('/', end + 1)) {
      var folder = file.substring(0, end);
      var name = folder.substring(folder.lastIndexOf('/') + 1);
      if (GENERATED.contains(name) && !ignored.brings(folder)) return Optional.of(folder);
    }
    return Optional.empty();
  }

  private static List<String> walk(Path folder, IgnoreFile ignored, Set<String> leftOut) {
    var files = new ArrayList<String>();
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
              if (dir.equals(folder)) return FileVisitResult.CONTINUE;
              var name = folder.relativize(dir).toString().replace('\\', '/');
              var generated = generatedFolder(name + "/", ignored);
              if (!ignored.matches(name)) generated.ifPresent(leftOut::add);
              return generated.isPresent() || dir.endsWith(GIT)
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              files.add(folder.relativize(file).toString().replace('\\', '/'));
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new InvalidInputException("code", folder + " cannot be read: " + e);
    }
    return files;
  }

  /**
   * A link is packed as its target, which must itself be among the packed files. Otherwise a folder
   * from a stranger could link to the user's keys, or to files that {@code .gitignore} excludes.
   */
  private void checkLinks() throws IOException {
    var top = root.toRealPath();
    var links = new HashMap<String, Path>();
    var plain = new HashSet<Path>();
    for (var file : files) {
      var real = root.resolve(file).toRealPath();
      if (real.equals(top.resolve(file).normalize())) plain.add(real);
      else links.put(file, real);
    }
    for (var link : new TreeMap<>(links).entrySet())
      if (!plain.contains(link.getValue()))
        throw new InvalidInputException(
            "code",
            "'%s' is a link to %s, which is not among the packed files; replace the link by a copy, or name it in .mayflyignore"
                .formatted(link.getKey(), link.getValue()));
  }

  private void check() throws IOException {
    var sizes = new HashMap<String, Long>();
    var total = 0L;
    for (var file : files) {
      var size = Files.size(root.resolve(file));
      total += size;
      sizes.merge(
          file.contains("/") ? file.substring(0, file.indexOf('/') + 1) : file, size, Long::sum);
    }
    if (total > CAP)
      throw new InvalidInputException(
          "code",
          "%s has %d MB; the limit is %d MB; the largest entries are %s; name data in .mayflyignore"
              .formatted(root, total / 1_000_000, CAP / 1_000_000, largest(sizes)));
  }

  private static String largest(Map<String, Long> sizes) {
    return sizes.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(3)
        .map(e -> e.getKey() + " (" + e.getValue() / 1_000_000 + " MB)")
        .collect(Collectors.joining(", "));
  }
}
