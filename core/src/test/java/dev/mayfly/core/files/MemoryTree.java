package dev.mayfly.core.files;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A tree in memory at {@code /data/root}, also reached as {@code /home/u}. */
final class MemoryTree implements FileTree {
  static final Instant TIME = Instant.parse("2026-01-31T10:00:00Z");

  private final TreeMap<String, FileKind> entries = new TreeMap<>();
  private final Set<String> closed = new HashSet<>();

  MemoryTree file(String path) {
    return put(path, new FileKind.Regular(path.length(), TIME));
  }

  MemoryTree folder(String path) {
    return put(path, new FileKind.Folder());
  }

  /** A folder that may not be listed. */
  MemoryTree closed(String path) {
    closed.add(path);
    return folder(path);
  }

  MemoryTree link(String path, String target) {
    return put(path, new FileKind.Link(Optional.of(target)));
  }

  /** With the folders that it is in. */
  MemoryTree put(String path, FileKind kind) {
    for (var slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      entries.putIfAbsent(path.substring(0, slash), new FileKind.Folder());
    entries.put(path, kind);
    return this;
  }

  @Override
  public List<String> root() {
    return List.of("data", "root");
  }

  @Override
  public List<List<String>> aliases() {
    return List.of(List.of("home", "u"));
  }

  @Override
  public Listing list(List<String> folder) {
    var path = String.join("/", folder);
    if (!path.isEmpty() && !(entries.get(path) instanceof FileKind.Folder))
      return new Listing.Gone();
    if (closed.contains(path)) return new Listing.Unreadable("its permissions forbid it");
    var in = path.isEmpty() ? "" : path + "/";
    var found = new ArrayList<Entry>();
    entries.forEach((name, kind) -> {
      var rest = name.startsWith(in) ? name.substring(in.length()) : "/";
      if (!rest.contains("/")) found.add(new Entry(rest, true, kind));
    });
    return new Listing.Entries(found);
  }

  @Override
  public Optional<FileKind> find(List<String> path) {
    return Optional.ofNullable(entries.get(String.join("/", path)));
  }
}
