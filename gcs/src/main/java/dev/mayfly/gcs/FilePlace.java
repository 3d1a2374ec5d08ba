package dev.mayfly.gcs;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.Url;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where an object's file is, and the names beside it that are ours. */
record FilePlace(Url url, Path file) {
  /** Files whose names begin so are this store's own and no objects. */
  static final String RESERVED = ".mayfly-";

  /** So much of a name a person can see in its sidecar's. */
  private static final int SHOWN = 60;

  /** Throws {@link Invalid} for a name that no file can have. */
  static FilePlace of(Url url) {
    var name = url.name();
    if (name.isEmpty() || name.endsWith("/") || name.contains("//"))
      throw new Invalid(
          url.toString(), "a file's place has no empty part; take out the doubled or last slash");
    if (name.substring(name.lastIndexOf('/') + 1).startsWith(RESERVED))
      throw new Invalid(
          url.toString(), "names that begin with " + RESERVED + " are Mayfly's own; take another");
    return new FilePlace(url, path(url, name));
  }

  /** The path of a name below the root. */
  static Path path(Url url, String name) {
    try {
      return Path.of("/" + name);
    } catch (InvalidPathException e) {
      throw new Invalid(
          url.toString(),
          "Java cannot make a file's name of it here; start it with LC_ALL=C.UTF-8 in the environment ("
              + e.getReason()
              + ")");
    }
  }

  Path folder() {
    return file.resolveSibling("");
  }

  /** The file that has the metadata of one generation, and so never speaks of another. */
  Path sidecar(long generation) {
    var name = file.getFileName().toString();
    var shown = ObjectNames.beginning(name, SHOWN);
    if (!shown.equals(name)) shown += Integer.toHexString(name.hashCode());
    return file.resolveSibling(RESERVED + shown + "-" + Long.toHexString(generation));
  }
}
