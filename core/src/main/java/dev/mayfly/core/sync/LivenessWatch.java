package dev.mayfly.core.sync;

import java.util.List;

/** Checks the liveness of workers in clusters from which no sync arrives. */
@FunctionalInterface
public interface LivenessWatch {
  /**
   * May last until the next tick. Throws {@link dev.mayfly.core.error.UnavailableException} where
   * syncs could not be served either: then no worker may be given up.
   */
  void watch(List<String> clusters);
}
