package dev.mayfly.core.model.cluster;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A file system that a machine has.
 *
 * @param kind the protocol
 * @param source {@code host:/path} of an NFS server, a bucket's name, or {@code zone/name} of a
 *     Filestore instance, with {@code -} for a zone that is not known
 * @param path where it is mounted
 * @param storage the name of the cluster's storage that it is; empty for one without a name
 */
public record Mount(
    Kind kind, String source, String path, boolean readOnly, Optional<String> storage) {
  public Mount {
    if (!isWord(source) || !isWord(path))
      throw new IllegalArgumentException("a mount's source and path are plain words");
  }

  /** A mount without a name. */
  public Mount(Kind kind, String source, String path, boolean readOnly) {
    this(kind, source, path, readOnly, Optional.empty());
  }

  /** Whether it can be a mount's source or path. */
  public static boolean isWord(String text) {
    return !text.isEmpty() && text.chars().noneMatch(Character::isISOControl);
  }

  /**
   * NFS; a bucket through gcsfuse; NFS of a Filestore instance that is found by its name; or a
   * folder of a laptop that plays a volume.
   */
  public enum Kind {
    NFS,
    GCS,
    FILESTORE,
    FOLDER
  }

  /** The variable in which tasks find the path; empty for a mount without a name. */
  public Optional<String> variable() {
    return storage.map(name -> "MAYFLY_MOUNT_" + name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** The same file system, from another source. */
  public Mount from(Kind other, String place) {
    return new Mount(other, place, path, readOnly, storage);
  }

  /** The same file system, at another place. */
  public Mount at(String place) {
    return new Mount(kind, source, place, readOnly, storage);
  }

  /** The folder that plays it on a laptop. */
  public Mount playedBy(String folder) {
    return new Mount(Kind.FOLDER, source, folder, readOnly, storage);
  }

  /** Formats mounts, one per line, for a machine's metadata; {@link #parse} reads them. */
  public static String text(List<Mount> mounts) {
    return mounts.stream().map(Mount::line).collect(Collectors.joining("\n"));
  }

  private String line() {
    var plain = String.join("\t", kind.name(), source, path, readOnly ? "ro" : "rw");
    return storage.map(name -> plain + "\t" + name).orElse(plain);
  }

  /** Throws {@link IllegalArgumentException} for a line that {@link #text} does not write. */
  public static List<Mount> parse(String text) {
    return text.lines().filter(line -> !line.isBlank()).map(Mount::line).toList();
  }

  private static Mount line(String line) {
    var fields = line.split("\t", -1);
    if (fields.length != 4 && fields.length != 5)
      throw new IllegalArgumentException("'" + line + "' is not a mount");
    var name = fields.length == 5 ? Optional.of(fields[4]) : Optional.<String>empty();
    return new Mount(Kind.valueOf(fields[0]), fields[1], fields[2], fields[3].equals("ro"), name);
  }
}
