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
 * <p>A generation is made of the file's inode, modification time and size, so that a file that
 * anybody made or changed by hand is an object too. Metadata is a hidden file beside it, named by
 * the generation. The checksum of a large file that was put there by hand is not known, and empty.
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
          // Opening a folder succeeds, and reading it fails.
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
          if (there.isPresent()) return judge(place, there.get(), content, metadata);
          var draft = StagedFile.write(place, content, metadata, clock);
          try {
            link(place, draft.temp());
            return new Creation.Created(draft.info());
          } catch (FileAlreadyExistsException e) {
            draft.discard();
            return judge(place, winner(place), content, metadata);
          } finally {
            Files.deleteIfExists(draft.temp());
          }
        });
  }

  private static void link(ObjectFile place, Path temp) throws IOException {
    try {
      Files.createLink(place.file(), temp);
    } catch (UnsupportedOperationException e) {
      throw new InvalidInputException(
          place.url().toString(),
          "its file system has no hard links, without which nothing can be created once; choose another ("
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
    throw new UnavailableException(place.url() + " came and went while it was created; try again");
  }

  private static Creation judge(
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
          var draft = StagedFile.write(place, content, metadata, clock);
          if (named(draft, generation)) return new Replacement.Replaced(draft.info());
          return changed(place, content, metadata);
        });
  }

  /**
   * Gives the draft its name, if that generation has it; otherwise nothing is left of the draft.
   */
  private static boolean named(StagedFile draft, long generation) throws IOException {
    var place = draft.place();
    var moved = false;
    try (var _ = FolderLock.of(place)) {
      if (is(place.file(), generation)) {
        Files.move(draft.temp(), place.file(), StandardCopyOption.ATOMIC_MOVE);
        moved = true;
        Files.deleteIfExists(place.sidecar(generation));
      }
      return moved;
    } finally {
      Files.deleteIfExists(draft.temp());
      if (!moved) draft.discard();
    }
  }

  private static Replacement changed(
      ObjectFile place, Content content, Map<String, String> metadata) throws IOException {
    var there = FileListing.info(place);
    if (there.isPresent()
        && judge(place, there.get(), content, metadata) instanceof Creation.Created ours)
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
