package dev.mayfly.core.sync;

import java.util.List;

/**
 * Has workers judged that nobody would judge otherwise, because no call comes from their clusters.
 */
@FunctionalInterface
public interface LivenessWatch {
  /**
   * May last until the next tick. Throws {@link dev.mayfly.core.error.UnavailableException} where
   * workers could not be served either: then nobody is to be judged.
   */
  void watch(List<String> clusters);
}
