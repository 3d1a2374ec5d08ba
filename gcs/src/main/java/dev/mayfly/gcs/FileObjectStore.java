package dev.mayfly.gcs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.files.ContentChecksum;
import dev.mayfly.gcs.files.FileErrors;
import dev.mayfly.gcs.files.FileIdentity;
import dev.mayfly.gcs.files.FileListing;
import dev.mayfly.gcs.files.FileRemoval;
import dev.mayfly.gcs.files.FolderLock;
import dev.mayfly.gcs.files.ObjectFile;
import dev.mayfly.gcs.files.StagedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Plain files as objects, for {@code file:///…}. Several processes may use one folder.
 *
 * <p>A generation combines the file's inode, modification time and size, so that a file that was
 * created or changed by hand is an object, too. Metadata is in a hidden file beside it, named by
 * the generation. The checksum of a large file that was created by hand is unknown, hence empty.
 */
final class FileObjectStore implements ObjectStore {
  private final InstantSource clock;

  FileObjectStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    return guarded(objectUrl, () -> FileListing.info(ObjectFile.of(objectUrl)));
  }

  @Override
  public Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    var opened = open(objectUrl);
    if (opened.isEmpty()) return Optional.empty();
    return guarded(
        objectUrl,
        () -> {
          try (var in = opened.get()) {
            return Optional.of(BoundedReader.read(objectUrl, in, cap));
          }
        });
  }

  @Override
  public Optional<InputStream> open(ObjectUrl objectUrl) {
    return guarded(
        objectUrl,
        () -> {
          var file = ObjectFile.of(objectUrl).file();
          // Opening a folder would succeed, but reading it fails.
          if (FileIdentity.of(file).isEmpty()) return Optional.empty();
          try {
            return Optional.of(Files.newInputStream(file));
          } catch (NoSuchFileException e) {
            return Optional.empty();
          }
        });
  }

  @Override
  public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    var place = ObjectFile.of(objectUrl);
    return guarded(
        objectUrl,
        () -> {
          var there = FileListing.info(place);
          if (there.isPresent()) return createdOrExists(place, there.get(), content, metadata);
          var staged = StagedFile.write(place, content, metadata, clock);
          try {
            link(place, staged.temp());
            return new Creation.Created(staged.info());
          } catch (FileAlreadyExistsException e) {
            staged.discard();
            return createdOrExists(place, winner(place), content, metadata);
          } finally {
            Files.deleteIfExists(staged.temp());
          }
        });
  }

  private static void link(ObjectFile place, Path temp) throws IOException {
    try {
      Files.createLink(place.file(), temp);
    } catch (UnsupportedOperationException e) {
      throw new InvalidInputException(
          place.url().toString(),
          "its file system has no hard links, which creating an object only once requires; choose another ("
              + e.getMessage()
              + ")");
    }
  }

  private static ObjectInfo winner(ObjectFile place) throws IOException {
    var there = FileListing.info(place);
    if (there.isPresent()) return there.get();
    if (Files.isDirectory(place.file()))
      throw new InvalidInputException(
          place.url().toString(), "a folder is there; choose another name");
    throw new UnavailableException(place.url() + " was created and deleted meanwhile; try again");
  }

  private static Creation createdOrExists(
      ObjectFile place, ObjectInfo there, Content content, Map<String, String> metadata)
      throws IOException {
    if (there.size() != content.size() || !there.metadata().equals(metadata))
      return new Creation.Exists(there);
    var known = there.crc32c().isEmpty() ? FileListing.checksum(place.file()) : there.crc32c();
    return ContentChecksum.of(content).crc32c().equals(known)
        ? new Creation.Created(there)
        : new Creation.Exists(there);
  }

  @Override
  public Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation) {
    var place = ObjectFile.of(objectUrl);
    return guarded(
        objectUrl,
        () -> {
          if (!is(place.file(), generation)) return changed(place, content, metadata);
          var staged = StagedFile.write(place, content, metadata, clock);
          if (moveIntoPlace(staged, generation)) return new Replacement.Replaced(staged.info());
          return changed(place, content, metadata);
        });
  }

  /** Renames the staged file to the object's name if that has the generation, else deletes it. */
  private static boolean moveIntoPlace(StagedFile staged, long generation) throws IOException {
    var place = staged.place();
    var moved = false;
    try (var _ = FolderLock.of(place)) {
      if (is(place.file(), generation)) {
        Files.move(staged.temp(), place.file(), StandardCopyOption.ATOMIC_MOVE);
        moved = true;
        Files.deleteIfExists(place.sidecar(generation));
      }
      return moved;
    } finally {
      Files.deleteIfExists(staged.temp());
      if (!moved) staged.discard();
    }
  }

  private static Replacement changed(
      ObjectFile place, Content content, Map<String, String> metadata) throws IOException {
    var there = FileListing.info(place);
    if (there.isPresent()
        && createdOrExists(place, there.get(), content, metadata) instanceof Creation.Created ours)
      return new Replacement.Replaced(ours.info());
    return new Replacement.Changed(there);
  }

  @Override
  public boolean delete(ObjectUrl objectUrl, long generation) {
    var place = ObjectFile.of(objectUrl);
    return guarded(
        objectUrl,
        () -> {
          if (!is(place.file(), generation)) return false;
          try (var _ = FolderLock.of(place)) {
            return is(place.file(), generation) && FileRemoval.remove(place, generation);
          } catch (NoSuchFileException folderGone) {
            return false;
          }
        });
  }

  private static boolean is(Path file, long generation) throws IOException {
    return FileIdentity.of(file).filter(s -> s.generation() == generation).isPresent();
  }

  @Override
  public ObjectPage list(ObjectUrl prefix, String after, int limit) {
    var size = ObjectPage.size(limit);
    return guarded(prefix, () -> FileListing.page(prefix, after, size));
  }

  private interface Call<T> {
    T run() throws IOException;
  }

  private static <T> T guarded(ObjectUrl objectUrl, Call<T> call) {
    try {
      return call.run();
    } catch (IOException e) {
      throw FileErrors.of(objectUrl, e);
    }
  }
}
