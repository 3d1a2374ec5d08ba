package dev.mayfly.agent.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
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

/**
 * A folder that is held open. What lies in it is reached one step at a time from here, and no step
 * follows a link: a task may put links in the place of any of its files and folders, also while we
 * look, and the agent has rights that the task has not. Names are paths, not texts: a name is any
 * bytes, and what a text makes of bytes that are no UTF-8 is the name of nothing.
 */
public final class SecureDirectory implements Closeable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final SecureDirectoryStream<Path> stream;
  private final Path path;

  private SecureDirectory(SecureDirectoryStream<Path> stream, Path path) {
    this.stream = stream;
    this.path = path;
  }

  /**
   * @param folder that no task can replace when it is opened
   */
  @SuppressWarnings("StreamResourceLeak") // It is closed with this object.
  static SecureDirectory at(Path folder) throws IOException {
    var stream = Files.newDirectoryStream(folder);
    if (stream instanceof SecureDirectoryStream<Path> secure)
      return new SecureDirectory(secure, folder);
    stream.close();
    throw new IOException("this system cannot open files relative to an open folder");
  }

  /** A folder in it. Throws where something else is, a link to a folder included. */
  public SecureDirectory in(Path name) throws IOException {
    return new SecureDirectory(
        stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS), path.resolve(name));
  }

  /** What it has under that name: of a link its own attributes. */
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

  /** A file's content. Call it for regular files: others may never answer. */
  public SeekableByteChannel read(Path name) throws IOException {
    return stream.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /** Everything in it, in no order. */
  public List<Path> names() throws IOException {
    var names = new ArrayList<Path>();
    try (var again = stream.newDirectoryStream(Path.of("."), LinkOption.NOFOLLOW_LINKS)) {
      for (var entry : again) names.add(entry.getFileName());
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Deletes all that is in it, however deep: folders in folders are brought up here first. */
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

  /** Deletes files; folders go to {@code above} under a name of which there is no other. */
  private long emptyInto(SecureDirectory above, long moved) throws IOException {
    long number = moved;
    for (var name : names()) {
      if (isFolder(name)) {
        // A folder that may not be written to cannot be moved: its own ".." would change.
        opened(name).close();
        stream.move(name, above.stream, Path.of(".mayfly-" + number++));
      } else {
        stream.deleteFile(name);
      }
    }
    return number;
  }

  /** A folder in it, also if the task took its own rights from it. */
  SecureDirectory opened(Path name) throws IOException {
    try {
      var inner = in(name);
      inner.makePrivate();
      return inner;
    } catch (AccessDeniedException e) {
      // Only an agent without more rights than its tasks comes here, which a link leads nowhere
      // new.
      Files.setPosixFilePermissions(path.resolve(name), OWNER_ONLY);
      return in(name);
    }
  }

  private void makePrivate() throws IOException {
    stream.getFileAttributeView(PosixFileAttributeView.class).setPermissions(OWNER_ONLY);
  }

  /** Deletes a file, a link or a whole folder in it; what is not there is no error. */
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
      // Gone already.
    }
  }

  /** Whether a folder of that name is in it; a link to one is none. */
  public boolean isFolder(Path name) throws IOException {
    return find(name).filter(BasicFileAttributes::isDirectory).isPresent();
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  /** Opens the folder that {@code names} lead to; empty where a step is no folder. */
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
