package dev.mayfly.core.control;

import dev.mayfly.core.error.MayflyException;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes on past what fails: one bad machine, job or cluster never stops the loop over the others,
 * whose work may go on side by side.
 */
final class Troubles {
  private final List<String> told = new ArrayList<>();

  /**
   * Runs {@code work}; a failure that Mayfly knows is noted, and the next round does the work
   * again.
   */
  void guard(String place, Runnable work) {
    try {
      work.run();
    } catch (MayflyException e) {
      add(place, e.getMessage());
    }
  }

  synchronized void add(String place, String what) {
    told.add(place + ": " + what);
  }

  synchronized List<String> told() {
    return List.copyOf(told);
  }
}
