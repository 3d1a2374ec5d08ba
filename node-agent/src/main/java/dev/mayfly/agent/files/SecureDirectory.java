package dev.mayfly.agent.files;

import dev.mayfly.agent.libc.OpenFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An open folder. Its content is reached step by step from here, and no step follows a link or
 * waits for a pipe: a task may replace any of its files and folders by those at any time, and the
 * agent has rights that the task lacks. Names are paths, not strings, because a name may be any
 * bytes, and bytes that are not UTF-8 do not survive conversion to a string.
 */
public final class SecureDirectory implements Closeable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final OpenFolder open;
  private final Path path;

  private SecureDirectory(OpenFolder open, Path path) {
    this.open = open;
    this.path = path;
  }

  /**
   * @param folder must not be replaceable by a task while it is opened
   */
  static SecureDirectory at(Path folder) throws IOException {
    return new SecureDirectory(OpenFolder.at(folder), folder);
  }

  /** Opens a subfolder. Throws for anything else, including a link to a folder. */
  public SecureDirectory in(Path name) throws IOException {
    return new SecureDirectory(open.folder(name), path.resolve(name).normalize());
  }

  /** By which names it was reached. */
  Path path() {
    return path;
  }

  /** Where it is now, without links. */
  Path realPath() throws IOException {
    return open.use(Path::toRealPath);
  }

  /** The text of a link; empty if there is none of that name now. */
  Optional<Path> link(Path name) throws IOException {
    try {
      return Optional.of(open.use(folder -> Files.readSymbolicLink(folder.resolve(name))));
    } catch (NoSuchFileException | NotLinkException e) {
      return Optional.empty();
    }
  }

  /**
   * The attributes of an entry; for a link, the link's own. They are those of a moment: what {@link
   * #read} opens may be another file.
   */
  public Optional<BasicFileAttributes> find(Path name) throws IOException {
    try {
      return Optional.of(
          open.use(folder ->
              Files.readAttributes(
                  folder.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Opens a regular file for reading; empty if there is none of that name now, but a link, a pipe,
   * a device or nothing. Never waits for whoever holds the other end.
   */
  public Optional<FileChannel> read(Path name) throws IOException {
    return open.file(name);
  }

  /** All entries, in no particular order. */
  public List<Path> names() throws IOException {
    return open.use(folder -> {
      var names = new ArrayList<Path>();
      try (var entries = Files.newDirectoryStream(folder)) {
        for (var entry : entries) names.add(entry.getFileName());
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      return names;
    });
  }

  /** Deletes the content at any depth: nested folders are moved up to this one first. */
  public void clear() throws IOException {
    var moved = System.nanoTime();
    for (var names = names(); !names.isEmpty(); names = names()) {
      for (var name : names) {
        if (!isFolder(name)) {
          delete(name);
          continue;
        }
        try (var inner = opened(name)) {
          moved = inner.emptyInto(this, moved);
        }
        delete(name);
      }
    }
  }

  /** Deletes files and moves folders to {@code above} under unique names. */
  private long emptyInto(SecureDirectory above, long moved) throws IOException {
    long number = moved;
    for (var name : names()) {
      if (isFolder(name)) {
        // A folder without write permission cannot be moved, because its ".." changes.
        opened(name).close();
        move(name, above, Path.of(".mayfly-" + number++));
      } else {
        delete(name);
      }
    }
    return number;
  }

  /** Opens a subfolder even if the task removed its own permissions from it. */
  SecureDirectory opened(Path name) throws IOException {
    try {
      var inner = in(name);
      try {
        inner.makePrivate();
      } catch (IOException e) {
        inner.close();
        throw e;
      }
      return inner;
    } catch (AccessDeniedException e) {
      // Reached only by an agent with the same rights as its tasks, so a link gives no new access.
      Files.setPosixFilePermissions(path.resolve(name), OWNER_ONLY);
      return in(name);
    }
  }

  private void makePrivate() throws IOException {
    open.use(folder -> Files.setPosixFilePermissions(folder, OWNER_ONLY));
  }

  /** Deletes a file, a link or an empty folder. */
  private void delete(Path name) throws IOException {
    open.use(folder -> {
      Files.delete(folder.resolve(name));
      return name;
    });
  }

  private void move(Path name, SecureDirectory above, Path to) throws IOException {
    open.use(from ->
        above.open.use(target ->
            Files.move(from.resolve(name), target.resolve(to), StandardCopyOption.ATOMIC_MOVE)));
  }

  /** Deletes a file, a link or a whole folder; a missing entry is not an error. */
  public void remove(Path name) throws IOException {
    try {
      if (!isFolder(name)) {
        delete(name);
        return;
      }
      try (var inner = opened(name)) {
        inner.clear();
      }
      delete(name);
    } catch (NoSuchFileException e) {
      // Already deleted.
    }
  }

  /** Whether the entry is a folder; a link to a folder is not. */
  public boolean isFolder(Path name) throws IOException {
    return find(name).filter(BasicFileAttributes::isDirectory).isPresent();
  }

  @Override
  public void close() throws IOException {
    open.close();
  }

  /** Opens the folder at the path {@code names}; empty if a step is not a folder. */
  public Optional<SecureDirectory> walk(List<String> names) throws IOException {
    var at = in(Path.of("."));
    try {
      for (var step : names) {
        var name = Path.of(step);
        if (!at.isFolder(name)) {
          at.close();
          return Optional.empty();
        }
        var next = at.in(name);
        at.close();
        at = next;
      }
      return Optional.of(at);
    } catch (NoSuchFileException | NotDirectoryException e) {
      at.close();
      return Optional.empty();
    } catch (IOException e) {
      at.close();
      throw e;
    }
  }
}
