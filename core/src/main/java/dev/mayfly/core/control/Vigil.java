package dev.mayfly.core.control;

import java.util.List;

/**
 * Has workers judged that nobody would judge otherwise, because no call comes from their clusters.
 */
@FunctionalInterface
public interface Vigil {
  /**
   * May last until the next tick. Throws {@link dev.mayfly.core.error.Unavailable} where workers
   * could not be served either: then nobody is to be judged.
   */
  void keep(List<String> clusters);
}
