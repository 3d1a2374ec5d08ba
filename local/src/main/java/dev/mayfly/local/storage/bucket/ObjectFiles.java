package dev.mayfly.local.storage.bucket;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The files of one bucket's objects. Callers hold the name's lock for every change. */
final class ObjectFiles {
  private final ObjectPaths objectPaths;
  private final AtomicLong last = new AtomicLong();

  ObjectFiles(ObjectPaths objectPaths) {
    this.objectPaths = objectPaths;
  }

  /**
   * An object's file with its attributes from the file system.
   *
   * @param identity its inode and the time of its last change, which no program can set; empty
   *     where the file system has neither
   */
  record Stamp(Path file, long generation, long size, Optional<String> identity) {
    /** Whether the file is still the one that was described. */
    boolean isSeenBy(StoredObject known) {
      return identity.isEmpty() || identity.equals(known.identity());
    }

    /** Describes a file without a sidecar, which a person added. */
    StoredObject adopted(String name) throws IOException {
      return adopted(name, StagedContent.of(file));
    }

    StoredObject adopted(String name, StagedContent sums) {
      var time = Instant.EPOCH.plus(generation, java.time.temporal.ChronoUnit.MICROS);
      return new StoredObject(
          name,
          generation,
          1,
          size,
          sums.crc32c(),
          sums.md5(),
          Map.of(),
          Map.of(),
          time,
          time,
          identity);
    }
  }

  Optional<Stamp> stamp(String name) throws IOException {
    var file = objectPaths.locate(name);
    if (file.isEmpty()) return Optional.empty();
    try {
      return Optional.of(stamp(file.get()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Stamp stamp(Path file) throws IOException {
    var unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    var seen =
        Files.readAttributes(
            file, unix ? "unix:lastModifiedTime,size,ino,ctime" : "lastModifiedTime,size");
    var time = (FileTime) requireNonNull(seen.get("lastModifiedTime"));
    var size = (Long) requireNonNull(seen.get("size"));
    var identity =
        unix ? Optional.of(seen.get("ino") + "/" + seen.get("ctime")) : Optional.<String>empty();
    var micros = Math.max(1, time.to(TimeUnit.MICROSECONDS));
    return new Stamp(file, micros, size, identity);
  }

  /**
   * Describes a file that was changed although its size and time are those of its description: a
   * move changes a file as well, and other content makes it a generation of its own.
   */
  StoredObject changed(Stamp seen, StoredObject known, Instant now) throws IOException {
    if (known.identity().isEmpty() && !known.isSmall()) return known.seenAs(seen.identity());
    var sums = StagedContent.of(seen.file());
    if (sums.crc32c().equals(known.crc32c())) return known.seenAs(seen.identity());
    assignGeneration(seen.file(), now, Optional.of(known));
    return stamp(seen.file()).adopted(known.name(), sums);
  }

  /** Gives a finished file a generation above all earlier ones of this object and this process. */
  long assignGeneration(Path file, Instant now, Optional<StoredObject> current) throws IOException {
    var wall = TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1_000;
    var least = Math.max(wall, current.map(StoredObject::generation).orElse(0L) + 1);
    var generation = last.updateAndGet(before -> Math.max(least, before + 1));
    Files.setLastModifiedTime(file, FileTime.from(generation, TimeUnit.MICROSECONDS));
    return generation;
  }

  /** Moves a finished file to the object's name. */
  void publish(Path finished, String name) throws IOException {
    var plain = objectPaths.plain(name);
    var beside = objectPaths.beside(plain);
    if (Files.isDirectory(plain)) {
      Files.move(finished, beside, StandardCopyOption.ATOMIC_MOVE);
      return;
    }
    FolderOnDemand.of(plain, () -> Files.move(finished, plain, StandardCopyOption.ATOMIC_MOVE));
    Files.deleteIfExists(beside);
  }

  /** Moves an object aside if its file is where the name needs a folder. */
  void makeWay(String name) throws IOException {
    for (var folder : foldersOf(objectPaths.plain(name)))
      if (Files.isRegularFile(folder))
        Files.move(folder, objectPaths.beside(folder), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes the object's file, and folders that become empty. */
  void remove(String name) throws IOException {
    var plain = objectPaths.plain(name);
    Files.deleteIfExists(objectPaths.beside(plain));
    if (Files.isRegularFile(plain)) Files.delete(plain);
    for (var folder : foldersOf(plain)) {
      try {
        Files.deleteIfExists(folder);
      } catch (DirectoryNotEmptyException e) {
        return;
      }
    }
  }

  /** The folders between the bucket and the file, innermost first. */
  private List<Path> foldersOf(Path file) {
    var inside = objectPaths.root().relativize(file);
    var folders = new ArrayList<Path>();
    for (var parts = inside.getNameCount() - 1; parts > 0; parts--)
      folders.add(objectPaths.root().resolve(inside.subpath(0, parts)));
    return folders;
  }
}
