package dev.mayfly.agent.files;

import dev.mayfly.core.files.FileKind;
import dev.mayfly.core.files.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * An open folder of a task. Throws {@link UncheckedIOException} for what is not the task's doing.
 */
final class TaskTree implements FileTree {
  private final SecureDirectory top;

  TaskTree(SecureDirectory top) {
    this.top = top;
  }

  private static List<String> names(Path path) {
    return StreamSupport.stream(path.spliterator(), false).map(Path::toString).toList();
  }

  @Override
  public List<String> root() {
    try {
      return names(top.realPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<List<String>> aliases() {
    return List.of(names(top.path()));
  }

  @Override
  public Listing list(List<String> folder) {
    try (var open = top.walk(folder).orElse(null)) {
      if (open == null) return new Listing.Gone();
      var entries = new ArrayList<Entry>();
      for (var name : open.names()) {
        var found = open.find(name);
        if (found.isPresent())
          entries.add(new Entry(name.toString(), isText(name), kind(open, name, found.get())));
      }
      return new Listing.Entries(entries);
    } catch (AccessDeniedException e) {
      return new Listing.Unreadable("its permissions forbid it");
    } catch (NoSuchFileException | NotDirectoryException e) {
      return new Listing.Gone();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Optional<FileKind> find(List<String> path) {
    try (var open = top.walk(path.subList(0, path.size() - 1)).orElse(null)) {
      if (open == null) return Optional.empty();
      var name = Path.of(path.getLast());
      var found = open.find(name);
      return found.isEmpty() ? Optional.empty() : Optional.of(kind(open, name, found.get()));
    } catch (NoSuchFileException | NotDirectoryException | AccessDeniedException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileKind kind(SecureDirectory in, Path name, BasicFileAttributes found)
      throws IOException {
    if (found.isRegularFile())
      return new FileKind.Regular(found.size(), found.lastModifiedTime().toInstant());
    if (found.isDirectory()) return new FileKind.Folder();
    return found.isSymbolicLink()
        ? new FileKind.Link(in.link(name).filter(TaskTree::isText).map(Path::toString))
        : new FileKind.Special();
  }

  /** Object names are UTF-8. In an ASCII locale, no name with other characters is text. */
  private static boolean isText(Path name) {
    try {
      return Path.of(name.toString()).equals(name);
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
