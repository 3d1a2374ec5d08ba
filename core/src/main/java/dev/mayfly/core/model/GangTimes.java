package dev.mayfly.core.model;

import java.time.Duration;

/**
 * How long each phase may take.
 *
 * @param prepare image, code and devices on the slowest host
 * @param start from the order to run until the last host's command runs
 * @param settle from the first host's exit with 0 to the last one's
 * @param publish upload and sentinel
 * @param kill the job's grace included
 */
public record GangTimes(
    Duration prepare, Duration start, Duration settle, Duration publish, Duration kill) {
  public static final GangTimes DEFAULT =
      new GangTimes(
          Duration.ofMinutes(15),
          Duration.ofMinutes(2),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          Duration.ofMinutes(3));
}
