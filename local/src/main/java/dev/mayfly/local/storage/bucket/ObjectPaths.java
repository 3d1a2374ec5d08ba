package dev.mayfly.local.storage.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.http.ApiError;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file of an object. A name is its path, except where no file can have that path:
 *
 * <ul>
 *   <li>{@code %x-S}: a part S with another meaning: empty, {@code .}, {@code ..}, a name of
 *       Mayfly's, or a part that begins like these marks;
 *   <li>{@code %l-S/T}: a part ST that is too long for one file's name;
 *   <li>{@code %o-S}: the object S where a folder S stands for the objects below it.
 * </ul>
 *
 * @param root the bucket's folder
 */
record ObjectPaths(Path root) {
  static final String OURS = ".mayfly-meta";
  static final String SPECIAL = "%x-";
  static final String LONG = "%l-";
  static final String BESIDE = "%o-";

  /** In bytes; file names may have 255, including marks. */
  private static final int MAX_BYTES = 230;

  /** The object's path unless a folder is there. */
  Path plain(String name) {
    var path = root;
    try {
      for (var segment : name.split("/", -1))
        for (var part : parts(segment)) path = path.resolve(part);
    } catch (InvalidPathException e) {
      throw ApiError.invalid(
          "The laptop cloud cannot make a file named '"
              + name
              + "'; start it with LC_ALL=C.UTF-8 ("
              + e.getReason()
              + ")");
    }
    return path;
  }

  /** The object's path if a folder is at its plain path. */
  Path beside(Path plain) {
    return plain.resolveSibling(BESIDE + plain.getFileName());
  }

  /** The object's present file. */
  Optional<Path> locate(String name) {
    var plain = plain(name);
    if (Files.isRegularFile(plain)) return Optional.of(plain);
    return Optional.of(beside(plain)).filter(Files::isRegularFile);
  }

  private static List<String> parts(String segment) {
    var parts = new ArrayList<String>();
    var rest = segment;
    while (rest.getBytes(UTF_8).length > MAX_BYTES) {
      var end = 0;
      for (var bytes = 0; end < rest.length(); end += Character.charCount(rest.codePointAt(end))) {
        bytes += Character.toString(rest.codePointAt(end)).getBytes(UTF_8).length;
        if (bytes > MAX_BYTES) break;
      }
      parts.add(LONG + rest.substring(0, end));
      rest = rest.substring(end);
    }
    parts.add(special(rest) ? SPECIAL + rest : rest);
    return parts;
  }

  private static boolean special(String part) {
    return part.isEmpty()
        || part.equals(".")
        || part.equals("..")
        || part.equals(OURS)
        || part.startsWith(SPECIAL)
        || part.startsWith(LONG)
        || part.startsWith(BESIDE);
  }

  /** The part of an object's name that a file's or folder's name encodes. */
  static String decode(String fileName) {
    var unmarked = fileName.startsWith(BESIDE) ? fileName.substring(BESIDE.length()) : fileName;
    return unmarked.startsWith(SPECIAL) ? unmarked.substring(SPECIAL.length()) : unmarked;
  }
}
