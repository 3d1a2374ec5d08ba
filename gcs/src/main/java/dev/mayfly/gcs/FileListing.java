package dev.mayfly.gcs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/** One page of the files below a prefix, in the order of their full names as bytes. */
final class FileListing {
  private final Url prefix;
  private final byte[] after;
  private final String afterText;
  private final int limit;
  private final List<ObjectInfo> page = new ArrayList<>();
  private final Set<Object> ancestors = new HashSet<>();

  FileListing(Url prefix, String after, int limit) {
    if (prefix.name().isEmpty() || prefix.name().contains("//"))
      throw new Invalid(prefix.toString(), "name a folder, without doubled slashes, to list");
    this.prefix = prefix;
    this.after = after.getBytes(UTF_8);
    this.afterText = after;
    this.limit = Math.min(limit, 1_000);
  }

  List<ObjectInfo> page() throws IOException {
    walk(prefix.name().substring(0, prefix.name().lastIndexOf('/') + 1));
    return List.copyOf(page);
  }

  /** A name whose kind is not known yet, or that of a folder with its slash. */
  private record Entry(String name, byte[] key) implements Comparable<Entry> {
    Entry(String name) {
      this(name, name.getBytes(UTF_8));
    }

    @Override
    public int compareTo(Entry other) {
      return Arrays.compareUnsigned(key, other.key);
    }
  }

  /**
   * A folder sorts as its name with a slash, a file as its name; so a kind is asked for only when
   * it matters.
   */
  private void walk(String folder) throws IOException {
    var path = FilePlace.path(prefix, folder);
    var entries = entries(path, folder);
    if (entries.isEmpty()) return;
    var key =
        Files.readAttributes(path, java.nio.file.attribute.BasicFileAttributes.class).fileKey();
    if (!ancestors.add(key)) return; // a link to a folder that it is in
    while (page.size() < limit && !entries.isEmpty()) {
      var next = entries.poll();
      if (next.name().endsWith("/")) walk(next.name());
      else if (Files.isDirectory(FilePlace.path(prefix, next.name())))
        entries.add(new Entry(next.name() + "/"));
      else take(next);
    }
    ancestors.remove(key);
  }

  private void take(Entry entry) throws IOException {
    if (!entry.name().startsWith(prefix.name()) || Arrays.compareUnsigned(entry.key(), after) <= 0)
      return;
    info(FilePlace.of(new Url(prefix.root(), entry.name()))).ifPresent(page::add);
  }

  private PriorityQueue<Entry> entries(Path path, String folder) throws IOException {
    var found = new PriorityQueue<Entry>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
      for (var child : children) {
        var file = child.getFileName().toString();
        if (nameable(file) && wanted(folder + file)) found.add(new Entry(folder + file));
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return new PriorityQueue<>();
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private static boolean nameable(String file) {
    return !file.startsWith(FilePlace.RESERVED) && file.chars().noneMatch(Character::isISOControl);
  }

  private boolean wanted(String name) {
    var inside = name + "/";
    if (!name.startsWith(prefix.name()) && !prefix.name().startsWith(inside)) return false;
    return afterText.startsWith(inside)
        || Arrays.compareUnsigned(inside.getBytes(UTF_8), after) > 0;
  }

  /** What is at a place now; looks again when the file was changed between two looks. */
  static Optional<ObjectInfo> info(FilePlace place) throws IOException {
    var stamp = FileStamp.of(place.file());
    for (var tries = 0; stamp.isPresent() && tries < 10; tries++) {
      var seen = stamp.get();
      var sidecar = Sidecar.read(place.sidecar(seen.generation()));
      if (sidecar.isPresent()) return Optional.of(info(place, seen, sidecar.get()));
      var crc = seen.size() > Sidecar.SMALL ? "" : checksum(place.file());
      stamp = FileStamp.of(place.file());
      if (stamp.equals(Optional.of(seen)))
        return Optional.of(info(place, seen, new Sidecar(crc, java.util.Map.of())));
    }
    return Optional.empty();
  }

  private static ObjectInfo info(FilePlace place, FileStamp stamp, Sidecar sidecar) {
    return new ObjectInfo(
        place.url(),
        stamp.generation(),
        stamp.size(),
        sidecar.crc32c(),
        sidecar.metadata(),
        stamp.updated());
  }

  static String checksum(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return Fingerprint.of(in).crc32c();
    } catch (NoSuchFileException e) {
      return "";
    }
  }
}
