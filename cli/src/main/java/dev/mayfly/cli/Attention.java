package dev.mayfly.cli;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.wire.Documents;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Says again and again that somebody reads a job's logs, so that its workers store them soon after
 * they are printed. Who may not say so, or can't now, reads them later.
 */
final class Attention {
  /** It counts for two minutes. */
  private static final Duration EVERY = Duration.ofMinutes(1);

  private final Session session;
  private final String cluster;
  private final String job;
  private Instant next = Instant.MIN;
  private boolean told;

  Attention(Session session, String cluster, String job) {
    this.session = session;
    this.cluster = cluster;
    this.job = job;
  }

  /** To be called often; it says so once a minute. */
  void pay() {
    var now = session.waiting().clock().instant();
    if (now.isBefore(next)) return;
    next = now.plus(EVERY);
    try {
      var fields = Map.of("cluster", cluster, "job", job);
      var unused = session.topics().publish(Documents.of("FollowLogs", fields));
    } catch (Denied | Unavailable without) {
      if (!told)
        session
            .screen()
            .note(
                "lines may come up to five minutes after they are printed: "
                    + without.getMessage());
      told = true;
    }
  }
}
