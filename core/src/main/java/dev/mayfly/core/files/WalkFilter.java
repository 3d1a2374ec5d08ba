package dev.mayfly.core.files;

import dev.mayfly.core.files.FileTree.Entry;
import dev.mayfly.core.files.Obstacle.Unwanted;
import java.util.List;
import java.util.Optional;

/** Rules that leave out entries which could be stored. Paths have slashes and no links in them. */
public interface WalkFilter {
  /** Everything is wanted. */
  WalkFilter NONE = (_, _) -> Optional.empty();

  /** Why an entry is left out; empty if it is not. */
  Optional<Unwanted> unwanted(String path, FileKind kind);

  /** Whether folders are also judged by what is in them. */
  default boolean looksInside() {
    return false;
  }

  /** Why a folder is left out by what is in it; asked if {@link #looksInside}. */
  default Optional<Unwanted> unwanted(String folder, List<Entry> entries) {
    return Optional.empty();
  }

  /**
   * Whether something below a folder that is left out may be wanted. What is in it is then asked
   * for one by one, and named instead of the folder.
   */
  default boolean mayWantBelow(String folder) {
    return false;
  }
}
