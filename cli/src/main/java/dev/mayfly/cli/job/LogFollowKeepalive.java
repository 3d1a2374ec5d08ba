package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.UserDocuments;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Says again and again that somebody reads a job's logs, so that its workers store them soon after
 * they are printed. Who may not say so, or can't now, reads them later.
 */
final class LogFollowKeepalive {
  /** It counts for two minutes. */
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final CliContext cliContext;
  private final String cluster;
  private final String job;
  private Instant next = Instant.MIN;
  private boolean told;

  LogFollowKeepalive(CliContext cliContext, String cluster, String job) {
    this.cliContext = cliContext;
    this.cluster = cluster;
    this.job = job;
  }

  /** To be called often; it says so once a minute. */
  void sendIfDue() {
    var now = cliContext.poller().clock().instant();
    if (now.isBefore(next)) return;
    next = now.plus(EVERY);
    try {
      var fields = Map.of("cluster", cluster, "job", job);
      var unused = cliContext.topics().publish(UserDocuments.of("FollowLogs", fields));
    } catch (DeniedException | UnavailableException without) {
      if (!told)
        cliContext
            .screen()
            .note(
                "lines may come up to five minutes after they are printed: "
                    + without.getMessage());
      told = true;
    }
  }
}
