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
}
