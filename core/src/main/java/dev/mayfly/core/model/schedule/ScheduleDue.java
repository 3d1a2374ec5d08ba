package dev.mayfly.core.model.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * What a cluster knows of one of its schedules, so that a tick reads no schedule that is not due.
 *
 * @param next when it is due at the earliest; absent while it is paused
 */
public record ScheduleDue(Optional<Instant> next) {
  public boolean isBy(Instant time) {
    return next.filter(at -> !at.isAfter(time)).isPresent();
  }
}
