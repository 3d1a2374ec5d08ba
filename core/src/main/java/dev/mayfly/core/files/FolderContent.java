package dev.mayfly.core.files;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * What a walk found, each list in the order of paths. A path is below the folder, with slashes.
 *
 * @param files what is stored
 * @param folders those in which nothing is stored
 * @param leftOut what the rest is stored without
 * @param refused if there is any, nothing is stored
 */
public record FolderContent(
    List<StoredFile> files, List<String> folders, List<Unstored> leftOut, List<Unstored> refused) {
  public FolderContent {
    files = sorted(files, StoredFile::path);
    folders = sorted(folders, path -> path);
    leftOut = sorted(leftOut, Unstored::path);
    refused = sorted(refused, Unstored::path);
  }

  private static <T> List<T> sorted(List<T> all, Function<T, String> path) {
    return all.stream().sorted(Comparator.comparing(path)).toList();
  }

  /**
   * A file, by its own name or by a link's.
   *
   * @param place where its content is, from the tree's root and without links; two files with one
   *     place are the same content
   */
  public record StoredFile(String path, List<String> place, long size, Instant modified) {
    public StoredFile {
      place = List.copyOf(place);
    }
  }

  /** An entry that is not stored. */
  public record Unstored(String path, Obstacle obstacle) {
    /** The entry's name and why it is not stored, on one line. */
    public String sentence(StoragePolicy policy) {
      return "'" + Obstacle.shown(path) + "' " + policy.sentence(obstacle);
    }
  }
}
