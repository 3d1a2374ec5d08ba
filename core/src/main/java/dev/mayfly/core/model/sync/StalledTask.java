package dev.mayfly.core.model.sync;

import dev.mayfly.core.model.AttemptFailure;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A task of a lease that does not go on, as its agent says: what it needs is denied, or a service
 * does not answer.
 *
 * @param why 200 characters at most
 * @param until when it is given up, unless it goes on before
 */
public record StalledTask(long index, String why, Instant until) {
  /** Those of one lease that are told of: usually one reason stalls many. */
  public static final int MOST = 10;

  public StalledTask {
    why = AttemptFailure.fit(why);
    // Computed anew at each try, from clocks that differ a little.
    until = until.truncatedTo(ChronoUnit.SECONDS);
  }
}
