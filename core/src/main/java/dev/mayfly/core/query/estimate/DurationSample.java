package dev.mayfly.core.query.estimate;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;

/**
 * How long the tasks of a job took that ended by themselves.
 *
 * @param seconds of some of them, at least one
 * @param ended how many have ended: {@code seconds} stands for them
 */
public record DurationSample(List<Double> seconds, long ended) {
  /** So many make a spread that is as narrow as what a person says is exact. */
  private static final int SAID = 36;

  private static final double MILLIS = 1_000;

  public DurationSample {
    seconds = List.copyOf(seconds);
  }

  /** As a person says it. */
  public static DurationSample said(Duration each) {
    return new DurationSample(Collections.nCopies(SAID, each.toMillis() / MILLIS), SAID);
  }

  /** Half a sentence: by which tasks an estimate is made. */
  public String basis(String job, Instant submittedAt) {
    return "each as %s of job %s of %s"
        .formatted(
            ended == 1 ? "the one task" : "the %,d tasks".formatted(ended),
            job,
            LocalDate.ofInstant(submittedAt, ZoneOffset.UTC));
  }
}
