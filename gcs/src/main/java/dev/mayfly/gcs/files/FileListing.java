package dev.mayfly.gcs.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
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

/**
 * One page of the files below a prefix, ordered by the bytes of their full names. Names that no
 * object can have are listed separately, and so is what is no file.
 */
public final class FileListing {
  private final ObjectUrl prefix;
  private final byte[] after;
  private final String afterText;
  private final int size;
  private final List<ObjectInfo> page = new ArrayList<>();
  private final List<String> unusable = new ArrayList<>();
  private final Set<Object> ancestors = new HashSet<>();
  private String last = "";
  private boolean more;

  private FileListing(ObjectUrl prefix, String after, int size) {
    if (prefix.name().isEmpty() || prefix.name().contains("//"))
      throw new InvalidInputException(
          prefix.toString(), "name a folder, without doubled slashes, to list");
    this.prefix = prefix;
    this.after = after.getBytes(UTF_8);
    this.afterText = after;
    this.size = size;
  }

  public static ObjectPage page(ObjectUrl prefix, String after, int size) throws IOException {
    var listing = new FileListing(prefix, after, size);
    listing.walk(prefix.name().substring(0, prefix.name().lastIndexOf('/') + 1));
    var next = listing.more ? Optional.of(listing.last) : Optional.<String>empty();
    return new ObjectPage(listing.page, listing.unusable, next);
  }

  /**
   * A name whose kind is not known yet, or a folder's name with a slash.
   *
   * @param usable whether an object can have the name
   */
  private record Entry(String name, byte[] key, boolean usable) implements Comparable<Entry> {
    Entry(String name, boolean usable) {
      this(name, name.getBytes(UTF_8), usable);
    }

    @Override
    public int compareTo(Entry other) {
      return Arrays.compareUnsigned(key, other.key);
    }
  }

  /**
   * A folder sorts by its name with a slash, a file by its name, so the kind is read only when it
   * matters.
   */
  private void walk(String folder) throws IOException {
    var path = ObjectFile.path(prefix, folder);
    var entries = entries(path, folder);
    if (entries.isEmpty()) return;
    var key =
        Files.readAttributes(path, java.nio.file.attribute.BasicFileAttributes.class).fileKey();
    if (!ancestors.add(key)) return; // a link to a folder that it is in
    while (!more && !entries.isEmpty()) visit(entries.poll(), entries);
    ancestors.remove(key);
  }

  private void visit(Entry next, PriorityQueue<Entry> entries) throws IOException {
    if (next.name().endsWith("/")) walk(next.name());
    else if (next.usable() && Files.isDirectory(ObjectFile.path(prefix, next.name())))
      entries.add(new Entry(next.name() + "/", true));
    else if (wanted(next)) {
      if (page.size() + unusable.size() == size) more = true;
      else take(next);
    }
  }

  private boolean wanted(Entry entry) {
    return entry.name().startsWith(prefix.name()) && Arrays.compareUnsigned(entry.key(), after) > 0;
  }

  private void take(Entry entry) throws IOException {
    last = entry.name();
    if (!entry.usable()) {
      unusable.add(entry.name());
      return;
    }
    var place = ObjectFile.of(new ObjectUrl(prefix.root(), entry.name()));
    var info = info(place);
    if (info.isPresent()) page.add(info.get());
    else if (isNoFile(place.file())) unusable.add(entry.name());
  }

  /** A link that leads nowhere, a pipe, a socket or a device; not what was deleted meanwhile. */
  private static boolean isNoFile(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(path);
  }

  private PriorityQueue<Entry> entries(Path path, String folder) throws IOException {
    var found = new PriorityQueue<Entry>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
      for (var child : children) {
        var file = child.getFileName().toString();
        if (!file.startsWith(ObjectFile.RESERVED) && wanted(folder + file))
          found.add(new Entry(folder + file, usable(child, folder + file)));
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return new PriorityQueue<>();
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private boolean usable(Path child, String name) {
    return ObjectUrl.ifUsable(prefix.root(), name).isPresent() && leadsBack(child);
  }

  /** A name that is not in this system's encoding decodes to the name of another file. */
  private static boolean leadsBack(Path child) {
    try {
      return child.equals(child.resolveSibling(child.getFileName().toString()));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private boolean wanted(String name) {
    var inside = name + "/";
    if (!name.startsWith(prefix.name()) && !prefix.name().startsWith(inside)) return false;
    return afterText.startsWith(inside)
        || Arrays.compareUnsigned(inside.getBytes(UTF_8), after) > 0;
  }

  /** The object at a place now; reads again if the file changes meanwhile. */
  public static Optional<ObjectInfo> info(ObjectFile place) throws IOException {
    var stamp = FileIdentity.of(place.file());
    for (var tries = 0; stamp.isPresent() && tries < 10; tries++) {
      var seen = stamp.get();
      var metadataSidecar = MetadataSidecar.read(place.sidecar(seen.generation()));
      if (metadataSidecar.isPresent()) return Optional.of(info(place, seen, metadataSidecar.get()));
      var crc = seen.size() > MetadataSidecar.SMALL ? "" : checksum(place.file());
      stamp = FileIdentity.of(place.file());
      if (stamp.equals(Optional.of(seen)))
        return Optional.of(info(place, seen, new MetadataSidecar(crc, java.util.Map.of())));
    }
    return Optional.empty();
  }

  private static ObjectInfo info(
      ObjectFile place, FileIdentity stamp, MetadataSidecar metadataSidecar) {
    return new ObjectInfo(
        place.url(),
        stamp.generation(),
        stamp.size(),
        metadataSidecar.crc32c(),
        metadataSidecar.metadata(),
        stamp.updated());
  }

  public static String checksum(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return ContentChecksum.of(in).crc32c();
    } catch (NoSuchFileException e) {
      return "";
    }
  }
}
