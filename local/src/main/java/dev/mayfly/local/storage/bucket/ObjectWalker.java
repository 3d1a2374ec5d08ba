package dev.mayfly.local.storage.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Walks the names of a bucket's objects in byte order, limited by a prefix and a first name. A
 * folder sorts as its name with a slash, a file as its name. Entries are classified lazily.
 */
final class ObjectWalker {
  private final Path root;
  private final String prefix;
  private final String from;
  private final byte[] fromBytes;
  private final Predicate<String> visitor;

  /**
   * @param from the smallest name to visit, or empty
   * @param visitor receives each name; returns whether to continue
   */
  ObjectWalker(Path root, String prefix, String from, Predicate<String> visitor) {
    this.root = root;
    this.prefix = prefix;
    this.from = from;
    this.fromBytes = from.getBytes(UTF_8);
    this.visitor = visitor;
  }

  void run() throws IOException {
    folder(root, "");
  }

  private record Entry(String name, boolean folder, Path path, byte[] key)
      implements Comparable<Entry> {
    Entry(String name, boolean folder, Path path) {
      this(name, folder, path, (folder ? name + "/" : name).getBytes(UTF_8));
    }

    @Override
    public int compareTo(Entry other) {
      return Arrays.compareUnsigned(key, other.key);
    }
  }

  /** Walks a folder; false when the visitor stops. */
  private boolean folder(Path folder, String name) throws IOException {
    var entries = new PriorityQueue<Entry>();
    read(folder, name, entries);
    for (var next = entries.poll(); next != null; next = entries.poll()) {
      if (next.folder()) {
        if (!folder(next.path(), next.name() + "/")) return false;
      } else if (Files.isDirectory(next.path())) {
        if (!isLinkCycle(next.path())) entries.add(new Entry(next.name(), true, next.path()));
      } else if (wanted(next) && !visitor.test(next.name())) {
        return false;
      }
    }
    return true;
  }

  /** Whether a folder is a link to one of its ancestors, which would recurse without end. */
  private static boolean isLinkCycle(Path folder) throws IOException {
    return Files.isSymbolicLink(folder)
        && requireNonNull(folder.getParent()).toRealPath().startsWith(folder.toRealPath());
  }

  private boolean wanted(Entry entry) {
    return entry.name().startsWith(prefix) && Arrays.compareUnsigned(entry.key(), fromBytes) >= 0;
  }

  private void read(Path folder, String name, PriorityQueue<Entry> entries) throws IOException {
    try (var children = Files.newDirectoryStream(folder)) {
      for (var child : children) {
        var file = child.getFileName().toString();
        if (file.equals(ObjectPaths.OURS)) continue;
        if (file.startsWith(ObjectPaths.LONG) && Files.isDirectory(child))
          read(child, name + file.substring(ObjectPaths.LONG.length()), entries);
        else if (mayContainWanted(name + ObjectPaths.decode(file)))
          entries.add(new Entry(name + ObjectPaths.decode(file), false, child));
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Deleted since it was listed.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Whether the name, or any name in a folder of that name, may be in range. */
  private boolean mayContainWanted(String name) {
    var inside = name + "/";
    if (!name.startsWith(prefix) && !prefix.startsWith(inside)) return false;
    return from.startsWith(inside)
        || Arrays.compareUnsigned(inside.getBytes(UTF_8), fromBytes) >= 0
        || Arrays.compareUnsigned(name.getBytes(UTF_8), fromBytes) >= 0;
  }
}
