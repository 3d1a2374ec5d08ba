package dev.mayfly.sim.scenario;

import dev.mayfly.sim.engine.SimRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** How long something takes that does not always take as long. */
public sealed interface DurationModel {
  /** One of them. */
  Duration draw(SimRandom random);

  /** Hardly one is shorter. */
  Duration shortest();

  /** Hardly one is longer. */
  Duration longest();

  /** Any duration from the shortest to the longest, both included; 24 days at most. */
  record Uniform(Duration shortest, Duration longest) implements DurationModel {
    @Override
    public Duration draw(SimRandom random) {
      return random.millis((int) shortest.toMillis(), (int) longest.toMillis());
    }
  }

  /**
   * Mostly about the median, and a few far longer: a log-normal distribution.
   *
   * @param p90 nine of ten are shorter
   */
  record LogNormal(Duration median, Duration p90) implements DurationModel {
    /** The standard normal distribution's quantile of 0.9. */
    private static final double NINE_TENTHS = 1.2815515655446004;

    /** As many are shorter as are longer than {@link #longest}. */
    @Override
    public Duration shortest() {
      return Duration.ofMillis(
          Math.round(Math.pow((double) median.toMillis(), 2) / p90.toMillis()));
    }

    @Override
    public Duration longest() {
      return p90;
    }

    @Override
    public Duration draw(SimRandom random) {
      var spread = Math.log((double) p90.toMillis() / median.toMillis()) / NINE_TENTHS;
      var millis = median.toMillis() * Math.exp(spread * random.generator().nextGaussian());
      return Duration.ofMillis(Math.round(millis));
    }
  }

  /** One of those that were seen, each as likely. */
  record Seen(List<Duration> durations) implements DurationModel {
    public Seen {
      durations = List.copyOf(durations);
    }

    @Override
    public Duration shortest() {
      return Collections.min(durations);
    }

    @Override
    public Duration longest() {
      return Collections.max(durations);
    }

    @Override
    public Duration draw(SimRandom random) {
      return random.pick(durations);
    }
  }
}
