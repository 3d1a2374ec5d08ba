package dev.mayfly.agent.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An open folder. Its content is reached step by step from here, and no step follows a link: a task
 * may replace any of its files and folders by links at any time, and the agent has rights that the
 * task lacks. Names are paths, not strings, because a name may be any bytes, and bytes that are not
 * UTF-8 do not survive conversion to a string.
 */
public final class SecureDirectory implements Closeable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final SecureDirectoryStream<Path> stream;
  private final Path path;
  private final AtomicBoolean listed = new AtomicBoolean();

  private SecureDirectory(SecureDirectoryStream<Path> stream, Path path) {
    this.stream = stream;
    this.path = path;
  }

  /**
   * @param folder must not be replaceable by a task while it is opened
   */
  @SuppressWarnings("StreamResourceLeak") // It is closed with this object.
  static SecureDirectory at(Path folder) throws IOException {
    var stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure)
      return new SecureDirectory(secure, folder);
    stream.close();
    throw new IOException("this system cannot open files relative to an open folder");
  }

  /** Opens a subfolder. Throws for anything else, including a link to a folder. */
  public SecureDirectory in(Path name) throws IOException {
    return new SecureDirectory(
        stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS), path.resolve(name));
  }

  /** The attributes of an entry; for a link, the link's own. */
  public Optional<BasicFileAttributes> find(Path name) throws IOException {
    try {
      return Optional.of(
          stream
              .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Opens a file for reading. Only for regular files: others may block forever. */
  public SeekableByteChannel read(Path name) throws IOException {
    return stream.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /** All entries, in no particular order. */
  public List<Path> names() throws IOException {
    // A stream can be read once. Most folders are listed once; opening each again costs a short
    // task
    // measurable time.
    if (listed.compareAndSet(false, true)) return names(stream);
    try (var again = stream.newDirectoryStream(Path.of("."), LinkOption.NOFOLLOW_LINKS)) {
      return names(again);
    }
  }

  private static List<Path> names(DirectoryStream<Path> entries) throws IOException {
    var names = new ArrayList<Path>();
    try {
      for (var entry : entries) names.add(entry.getFileName());
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Deletes the content at any depth: nested folders are moved up to this one first. */
  public void clear() throws IOException {
    var moved = System.nanoTime();
    for (var names = names(); !names.isEmpty(); names = names()) {
      for (var name : names) {
        if (!isFolder(name)) {
          stream.deleteFile(name);
          continue;
        }
        try (var inner = opened(name)) {
          moved = inner.emptyInto(this, moved);
        }
        stream.deleteDirectory(name);
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
        stream.move(name, above.stream, Path.of(".mayfly-" + number++));
      } else {
        stream.deleteFile(name);
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
    stream.getFileAttributeView(PosixFileAttributeView.class).setPermissions(OWNER_ONLY);
  }

  /** Deletes a file, a link or a whole folder; a missing entry is not an error. */
  public void remove(Path name) throws IOException {
    try {
      if (!isFolder(name)) {
        stream.deleteFile(name);
        return;
      }
      try (var inner = opened(name)) {
        inner.clear();
      }
      stream.deleteDirectory(name);
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
    stream.close();
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
