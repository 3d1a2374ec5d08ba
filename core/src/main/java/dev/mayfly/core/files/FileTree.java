package dev.mayfly.core.files;

import java.util.List;
import java.util.Optional;

/**
 * A folder with all that is below it, as it is on disk. Adapters only list; none of them lets the
 * system follow a link.
 *
 * <p>A path is the names from the root down, without links in it.
 */
public interface FileTree {
  /** One name in a folder. */
  record Entry(String name, boolean isText, FileKind kind) {
    /**
     * @param isText false if the name's bytes are not text, so that {@code name} only resembles it
     */
    public Entry {}
  }

  /** What is in a folder. */
  sealed interface Listing {
    record Entries(List<Entry> entries) implements Listing {
      public Entries {
        entries = List.copyOf(entries);
      }
    }

    /**
     * @param problem why, in a few words
     */
    record Unreadable(String problem) implements Listing {}

    /** The folder was deleted or replaced since it was listed. */
    record Gone() implements Listing {}
  }

  /** Where the root is, from the top of the file system and without links. */
  List<String> root();

  /** Other absolute paths of the root, as a link may name it. */
  default List<List<String>> aliases() {
    return List.of();
  }

  Listing list(List<String> folder);

  /** What is at a path, which is not the root's; empty if nothing. */
  Optional<FileKind> find(List<String> path);
}
