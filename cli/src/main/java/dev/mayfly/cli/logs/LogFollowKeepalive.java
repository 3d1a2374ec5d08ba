package dev.mayfly.cli.logs;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.UserDocuments;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Reports periodically that a user follows a job's logs or progress, so that its workers store
 * lines and metrics soon after they are written. Without the right or a connection to report it,
 * these arrive later.
 */
public final class LogFollowKeepalive {
  /** Half of the two minutes for which a report is valid. */
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final CliContext cliContext;
  private final String cluster;
  private final String job;
  private Instant next = Instant.MIN;
  private boolean warned;

  public LogFollowKeepalive(CliContext cliContext, String cluster, String job) {
    this.cliContext = cliContext;
    this.cluster = cluster;
    this.job = job;
  }

  /** Reports nothing of a job that is followed for less than this time. */
  public LogFollowKeepalive after(Duration patience) {
    next = cliContext.poller().clock().instant().plus(patience);
    return this;
  }

  /** Sends a report if the last one is a minute old. Callers poll this method. */
  public void sendIfDue() {
    var now = cliContext.poller().clock().instant();
    if (now.isBefore(next)) return;
    next = now.plus(EVERY);
    try {
      var fields = Map.of("cluster", cluster, "job", job);
      var unused = cliContext.topics().publish(UserDocuments.of("FollowLogs", fields));
    } catch (DeniedException | UnavailableException without) {
      if (!warned)
        cliContext
            .screen()
            .note(
                "lines may arrive some ten seconds after they are printed, and metrics a minute: "
                    + without.getMessage());
      warned = true;
    }
  }
}
