package dev.mayfly.core.model.gang;

import java.time.Duration;

/**
 * The time limits of phases, beyond the job's own ({@link GangTimeouts}).
 *
 * @param prepare image, code and devices on the slowest host: an image of 30 GB at 12 MB/s
 * @param start from the order to run until the last host's command runs
 * @param publish upload and sentinel, beyond the job's timeout
 * @param kill beyond the job's grace
 */
public record GangPhaseTimeouts(Duration prepare, Duration start, Duration publish, Duration kill) {
  public static final GangPhaseTimeouts DEFAULT =
      new GangPhaseTimeouts(
          Duration.ofMinutes(45),
          Duration.ofMinutes(2),
          Duration.ofMinutes(30),
          Duration.ofMinutes(3));
}
