package dev.mayfly.core.files;

import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectUrl;
import java.util.Optional;

/** Which paths the place of a copy can have. */
public interface NameRule {
  /** What is wrong with a path, as {@link Obstacle.Name} words it; empty if nothing is. */
  Optional<String> problem(String path);

  /**
   * Paths that become names of objects.
   *
   * @param before bytes of the name that come before the path
   */
  static NameRule ofObjects(int before) {
    return path -> {
      if (ObjectUrl.ifUsable("gs://bucket", path).isEmpty())
        return Optional.of("with a control character in it, which no object has");
      if (before + ObjectNames.bytes(path) > ObjectNames.LONGEST)
        return Optional.of(
            "that is too long for an object: more than "
                + (ObjectNames.LONGEST - before)
                + " bytes with its folders");
      return Optional.empty();
    };
  }

  /** Paths in a job's code, which travels as a zip. */
  static NameRule ofCode() {
    return path -> {
      if (path.indexOf('\\') >= 0)
        return Optional.of("with a backslash, which archives take for a slash");
      if (ObjectNames.bytes(path) > CodeLimits.LONGEST_PATH)
        return Optional.of(
            "that is too long: more than %,d bytes with its folders"
                .formatted(CodeLimits.LONGEST_PATH));
      return Optional.empty();
    };
  }
}
