package dev.mayfly.cli.files;

import dev.mayfly.core.files.FileKind;
import dev.mayfly.core.files.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** A folder of this computer, which may itself be reached by a link. */
public final class LocalTree implements FileTree {
  private final Path root;
  private final List<List<String>> aliases;

  public LocalTree(Path folder) throws IOException {
    root = folder.toRealPath();
    aliases = List.of(names(folder.toAbsolutePath().normalize()));
  }

  private static List<String> names(Path path) {
    return StreamSupport.stream(path.spliterator(), false).map(Path::toString).toList();
  }

  /** Where something in the tree is. */
  public Path path(List<String> place) {
    var path = root;
    for (var name : place) path = path.resolve(name);
    return path;
  }

  @Override
  public List<String> root() {
    return names(root);
  }

  @Override
  public List<List<String>> aliases() {
    return aliases;
  }

  @Override
  public Listing list(List<String> folder) {
    var path = path(folder);
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) return new Listing.Gone();
    var found = new ArrayList<Entry>();
    try (var entries = Files.newDirectoryStream(path)) {
      for (var entry : entries)
        kind(entry)
            .ifPresent(
                kind -> found.add(new Entry(entry.getFileName().toString(), isText(entry), kind)));
    } catch (AccessDeniedException e) {
      return new Listing.Unreadable("its permissions forbid it");
    } catch (NoSuchFileException | NotDirectoryException e) {
      return new Listing.Gone();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DirectoryIteratorException e) {
      throw new UncheckedIOException(e.getCause());
    }
    found.sort(Comparator.comparing(Entry::name));
    return new Listing.Entries(found);
  }

  @Override
  public Optional<FileKind> find(List<String> path) {
    try {
      return kind(path(path));
    } catch (InvalidPathException noName) {
      return Optional.empty();
    }
  }

  private static Optional<FileKind> kind(Path path) {
    try {
      var found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (found.isDirectory()) return Optional.of(new FileKind.Folder());
      if (found.isSymbolicLink()) return Optional.of(new FileKind.Link(target(path)));
      if (!found.isRegularFile()) return Optional.of(new FileKind.Special());
      if (!Files.isReadable(path)) return Optional.of(new FileKind.Locked());
      return Optional.of(new FileKind.Regular(found.size(), found.lastModifiedTime().toInstant()));
    } catch (NoSuchFileException | AccessDeniedException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<String> target(Path link) throws IOException {
    var target = Files.readSymbolicLink(link);
    return isText(target) ? Optional.of(target.toString()) : Optional.empty();
  }

  /** Bytes that are no text come back as others. */
  private static boolean isText(Path path) {
    try {
      return Path.of(path.toString()).equals(path);
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
