package dev.mayfly.gcs.files;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectUrl;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** An object's file, and the reserved names beside it. */
public record ObjectFile(ObjectUrl url, Path file) {
  /** The prefix of file names that are the store's own and not objects. */
  static final String RESERVED = ".mayfly-";

  /** How much of an object's name is visible in its sidecar's. */
  private static final int SHOWN = 60;

  /** Throws {@link InvalidInputException} for a name that no file can have. */
  public static ObjectFile of(ObjectUrl objectUrl) {
    var name = objectUrl.name();
    if (name.isEmpty() || name.endsWith("/") || name.contains("//"))
      throw new InvalidInputException(
          objectUrl.toString(),
          "a file's path has no empty part; remove the doubled or last slash");
    if (name.substring(name.lastIndexOf('/') + 1).startsWith(RESERVED))
      throw new InvalidInputException(
          objectUrl.toString(),
          "names that begin with " + RESERVED + " are reserved for Mayfly; choose another");
    return new ObjectFile(objectUrl, path(objectUrl, name));
  }

  /** The path of a name below the root. */
  static Path path(ObjectUrl objectUrl, String name) {
    try {
      return Path.of("/" + name);
    } catch (InvalidPathException e) {
      throw new InvalidInputException(
          objectUrl.toString(),
          "Java cannot represent this file name here; start it with LC_ALL=C.UTF-8 in the environment ("
              + e.getReason()
              + ")");
    }
  }

  Path folder() {
    return file.resolveSibling("");
  }

  /** The file with the metadata of one generation, so that it never applies to another. */
  public Path sidecar(long generation) {
    var name = file.getFileName().toString();
    var shown = ObjectNames.truncate(name, SHOWN);
    if (!shown.equals(name)) shown += Integer.toHexString(name.hashCode());
    return file.resolveSibling(RESERVED + shown + "-" + Long.toHexString(generation));
  }
}
