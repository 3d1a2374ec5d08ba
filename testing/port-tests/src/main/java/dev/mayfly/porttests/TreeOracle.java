package dev.mayfly.porttests;

import dev.mayfly.core.files.NameRule;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What a walk must find in a folder, by the system's own way of following links. */
final class TreeOracle {
  private final Path root;
  private final NameRule names;
  private final TreeSet<String> files = new TreeSet<>();
  private final TreeSet<String> folders = new TreeSet<>();
  private final TreeSet<String> unstored = new TreeSet<>();

  private TreeOracle(Path root, NameRule names) {
    this.root = root;
    this.names = names;
  }

  static TreeOracle of(Path root, NameRule names) throws IOException {
    var oracle = new TreeOracle(root, names);
    oracle.folder("", List.of(root));
    return oracle;
  }

  List<String> files() {
    return List.copyOf(files);
  }

  /** Those in which nothing is stored. */
  List<String> folders() {
    return List.copyOf(folders);
  }

  List<String> unstored() {
    return List.copyOf(unstored);
  }

  /**
   * @param chain the real folders from the root to here
   */
  private void folder(String path, List<Path> chain) throws IOException {
    var before = files.size() + folders.size();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(chain.getLast())) {
      for (var entry : entries) {
        var name = entry.getFileName().toString();
        entry(path.isEmpty() ? name : path + "/" + name, entry, chain);
      }
    }
    if (!path.isEmpty() && before == files.size() + folders.size()) folders.add(path);
  }

  private void entry(String path, Path entry, List<Path> chain) throws IOException {
    var isText = entry.equals(entry.resolveSibling(entry.getFileName().toString()));
    if (!isText || names.problem(path).isPresent()) unstored.add(path);
    else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) folder(path, with(chain, entry));
    else if (!Files.exists(entry)) unstored.add(path);
    else if (!entry.toRealPath().startsWith(root)) unstored.add(path);
    else if (Files.isRegularFile(entry)) files.add(path);
    else if (Files.isDirectory(entry)) linked(path, entry.toRealPath(), chain);
    else unstored.add(path);
  }

  private void linked(String path, Path real, List<Path> chain) throws IOException {
    if (chain.stream().anyMatch(above -> above.startsWith(real))) unstored.add(path);
    else folder(path, with(chain, real));
  }

  private static List<Path> with(List<Path> chain, Path next) {
    var longer = new ArrayList<>(chain);
    longer.add(next);
    return longer;
  }
}
