package dev.mayfly.cli.copy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.LocalTree;
import dev.mayfly.core.files.FolderContent;
import dev.mayfly.core.files.FolderContent.Unstored;
import dev.mayfly.core.files.FolderWalk;
import dev.mayfly.core.files.NameRule;
import dev.mayfly.core.files.Obstacle;
import dev.mayfly.core.files.StoragePolicy;
import dev.mayfly.core.files.WalkFilter;
import dev.mayfly.core.port.ObjectNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder of this computer that is copied, which may itself be reached by a link. */
record SourceFolder(LocalTree tree, FolderContent content) {
  private static final StoragePolicy POLICY = StoragePolicy.COPY;
  private static final int MOST_NAMED = 20;

  /**
   * @param names which paths can have a place at the other end
   */
  static SourceFolder of(Path folder, NameRule names) {
    try {
      var tree = new LocalTree(folder);
      return new SourceFolder(tree, FolderWalk.of(tree, POLICY, WalkFilter.NONE, names));
    } catch (IOException | UncheckedIOException e) {
      throw CommandException.input(folder + " cannot be read: " + e, e);
    }
  }

  /** Throws {@link CommandException} for what can have no place at the other end. */
  void check() {
    if (!content.refused().isEmpty())
      throw CommandException.input(
          "nothing was copied: " + content.refused().getFirst().sentence(POLICY));
  }

  /** Where the content of each path is. */
  Map<String, Path> files() {
    var files = new LinkedHashMap<String, Path>();
    for (var file : content.files()) files.put(file.path(), tree.path(file.place()));
    return files;
  }

  Stream<String> notesOfLeftOut() {
    return notes(content.leftOut(), one -> "left out: " + one.sentence(POLICY));
  }

  /** A bucket holds objects only. */
  Stream<String> notesOfEmptyFolders() {
    return notes(
        content.folders(),
        folder ->
            "left out, because a bucket has no empty folders: " + ObjectNames.printable(folder));
  }

  /** The same where links are copied as links, which then lead elsewhere. */
  Stream<String> notesOfLinks() {
    return notes(
        content.leftOut().stream().filter(SourceFolder::leadsElsewhere).toList(),
        one -> "copied as a link: " + one.sentence(POLICY));
  }

  private static boolean leadsElsewhere(Unstored one) {
    return one.obstacle() instanceof Obstacle.Outside || one.obstacle() instanceof Obstacle.Nowhere;
  }

  private interface Note<T> {
    String of(T one);
  }

  private static <T> Stream<String> notes(List<T> all, Note<T> note) {
    var more = all.size() - MOST_NAMED;
    return Stream.concat(
        all.stream().limit(MOST_NAMED).map(note::of),
        more > 0 ? Stream.of("and %,d more like these".formatted(more)) : Stream.empty());
  }
}
