package dev.mayfly.core.model.cluster;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A file system that every machine of a cluster has.
 *
 * @param kind the protocol
 * @param source {@code host:/path} of an NFS server, or a bucket's name
 * @param path where it is mounted
 */
public record Mount(Kind kind, String source, String path, boolean readOnly) {
  public Mount {
    if (!isWord(source) || !isWord(path))
      throw new IllegalArgumentException("a mount's source and path are plain words");
  }

  /** Whether it can be a mount's source or path. */
  public static boolean isWord(String text) {
    return !text.isEmpty() && text.chars().noneMatch(Character::isISOControl);
  }

  /** NFS, or a bucket through gcsfuse. */
  public enum Kind {
    NFS,
    GCS
  }

  /** Formats mounts, one per line, for a machine's metadata; {@link #parse} reads them. */
  public static String text(List<Mount> mounts) {
    return mounts.stream()
        .map(m -> String.join("\t", m.kind.name(), m.source, m.path, m.readOnly ? "ro" : "rw"))
        .collect(Collectors.joining("\n"));
  }

  /** Throws {@link IllegalArgumentException} for a line that {@link #text} does not write. */
  public static List<Mount> parse(String text) {
    return text.lines().filter(line -> !line.isBlank()).map(Mount::line).toList();
  }

  private static Mount line(String line) {
    var fields = line.split("\t", -1);
    if (fields.length != 4) throw new IllegalArgumentException("'" + line + "' is not a mount");
    return new Mount(Kind.valueOf(fields[0]), fields[1], fields[2], fields[3].equals("ro"));
  }
}
