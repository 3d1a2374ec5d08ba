package dev.mayfly.gcs.files;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectUrl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where an object's file is, and the names beside it that are ours. */
public record ObjectFile(ObjectUrl url, Path file) {
  /** Files whose names begin so are this store's own and no objects. */
  static final String RESERVED = ".mayfly-";

  /** So much of a name a person can see in its sidecar's. */
  private static final int SHOWN = 60;

  /** Throws {@link InvalidInputException} for a name that no file can have. */
  public static ObjectFile of(ObjectUrl objectUrl) {
    var name = objectUrl.name();
    if (name.isEmpty() || name.endsWith("/") || name.contains("//"))
      throw new InvalidInputException(
          objectUrl.toString(),
          "a file's place has no empty part; take out the doubled or last slash");
    if (name.substring(name.lastIndexOf('/') + 1).startsWith(RESERVED))
      throw new InvalidInputException(
          objectUrl.toString(),
          "names that begin with " + RESERVED + " are Mayfly's own; take another");
    return new ObjectFile(objectUrl, path(objectUrl, name));
  }

  /** The path of a name below the root. */
  static Path path(ObjectUrl objectUrl, String name) {
    try {
      return Path.of("/" + name);
    } catch (InvalidPathException e) {
      throw new InvalidInputException(
          objectUrl.toString(),
          "Java cannot make a file's name of it here; start it with LC_ALL=C.UTF-8 in the environment ("
              + e.getReason()
              + ")");
    }
  }

  Path folder() {
    return file.resolveSibling("");
  }

  /** The file that has the metadata of one generation, and so never speaks of another. */
  public Path sidecar(long generation) {
    var name = file.getFileName().toString();
    var shown = ObjectNames.truncate(name, SHOWN);
    if (!shown.equals(name)) shown += Integer.toHexString(name.hashCode());
    return file.resolveSibling(RESERVED + shown + "-" + Long.toHexString(generation));
  }
}
