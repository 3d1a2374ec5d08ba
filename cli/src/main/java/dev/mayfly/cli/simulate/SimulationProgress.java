package dev.mayfly.cli.simulate;

import dev.mayfly.core.text.HumanDuration;
import dev.mayfly.sim.experiment.Passed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Says now and then how far a simulation is that takes long: nobody else knows whether it goes on.
 * Runs may tell it at once.
 */
final class SimulationProgress {
  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofSeconds(20);

  private final String file;
  private final int runs;
  private final Duration longest;
  private final InstantSource clock;
  private final Consumer<String> note;
  private Instant next;
  private int ended;

  /**
   * @param longest the virtual time after which a run ends in any case
   * @param clock of the person who waits
   * @param note takes one line
   */
  SimulationProgress(
      String file, int runs, Duration longest, InstantSource clock, Consumer<String> note) {
    this.file = file;
    this.runs = runs;
    this.longest = longest;
    this.clock = clock;
    this.note = note;
    next = clock.instant().plus(FIRST);
  }

  /** A run is that far. */
  synchronized void passed(Passed passed) {
    var now = clock.instant();
    if (now.isBefore(next)) return;
    next = now.plus(PAUSE);
    note.accept(
        runs == 1
            ? "%s: %s of at most %s are simulated, %,d of %,d tasks are done"
                .formatted(
                    file,
                    HumanDuration.result(passed.time()),
                    HumanDuration.result(longest),
                    passed.done(),
                    passed.tasks())
            : "%s: runs that have ended: %,d of %,d".formatted(file, ended, runs));
  }

  /** One more run has ended. */
  synchronized void ended() {
    ended++;
  }
}
