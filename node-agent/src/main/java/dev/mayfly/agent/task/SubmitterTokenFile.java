package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of one attempt that may submit jobs, in a file that only its user can read. They are
 * written anew long before they expire, and deleted when the attempt's last process has ended.
 */
final class SubmitterTokenFile {
  private static final Logger LOG = LoggerFactory.getLogger(SubmitterTokenFile.class);

  /** A token lives for an hour, so two renewals may fail. */
  private static final Duration RENEW_EVERY = Duration.ofMinutes(20);

  /** After a renewal that failed. */
  private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

  private final AttemptDir dir;
  private final Optional<TaskUser> user;
  private final SubmitterAccess access;
  private Instant due = Instant.MAX;
  private boolean deleted;

  SubmitterTokenFile(AttemptDir dir, Optional<TaskUser> user, SubmitterAccess access) {
    this.dir = dir;
    this.user = user;
    this.access = access;
  }

  /** Writes new tokens. Throws {@link UnavailableException} if there are none. */
  void write() throws IOException {
    var content = Wire.shared().json(access.tokens().get());
    synchronized (this) {
      // A renewal may be late.
      if (deleted) return;
      dir.writeToken(content, user);
      due = access.clock().instant().plus(RENEW_EVERY);
    }
  }

  /** Whether {@link #renew} is due; true once. */
  synchronized boolean takeDue() {
    if (access.clock().instant().isBefore(due)) return false;
    due = Instant.MAX;
    return true;
  }

  /** Writes new tokens; if there are none now, the old ones stay until the next try. */
  void renew() {
    try {
      write();
    } catch (IOException | RuntimeException e) {
      LOG.warn("tokens not renewed folder={} reason={}", dir.folder(), e.toString());
      synchronized (this) {
        due = access.clock().instant().plus(RETRY_AFTER);
      }
    }
  }

  /** Nothing is written from now on. */
  synchronized void delete() {
    deleted = true;
    try {
      dir.deleteToken();
    } catch (IOException e) {
      // The attempt's folder is deleted too.
      LOG.warn("tokens not deleted folder={} reason={}", dir.folder(), e.toString());
    }
  }
}
