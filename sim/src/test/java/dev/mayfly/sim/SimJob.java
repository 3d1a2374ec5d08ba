package dev.mayfly.sim;

import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job of which a test sets only what it is about: one CPU, one task of a minute. */
final class SimJob {
  private final int number;
  private int tasks = 1;
  private Resources need = Resources.cpu(1, Stage.GIB);
  private Duration each = Duration.ofMinutes(1);
  private Duration timeout = Duration.ofHours(20);
  private Duration at = Duration.ofMinutes(2);
  private Optional<Duration> stop = Optional.empty();
  private Optional<String> owner = Optional.empty();
  private int priority = 50;
  private int gang;
  private Place place = Place.ANYWHERE;

  private SimJob(int number) {
    this.number = number;
  }

  static SimJob job(int number) {
    return new SimJob(number);
  }

  SimJob tasks(int n, Duration long_) {
    tasks = n;
    each = long_;
    return this;
  }

  SimJob cpus(double n) {
    need = Resources.cpu(n, Stage.GIB);
    return this;
  }

  SimJob gpus(double share) {
    need = new Resources(500, Stage.GIB, Math.round(share * 1_000), 0);
    return this;
  }

  SimJob timeout(Duration most) {
    timeout = most;
    return this;
  }

  SimJob at(Duration when) {
    at = when;
    return this;
  }

  SimJob stopAt(Duration when) {
    stop = Optional.of(when);
    return this;
  }

  SimJob of(String who) {
    owner = Optional.of(who);
    return this;
  }

  SimJob priority(int n) {
    priority = n;
    return this;
  }

  SimJob gang(int n) {
    gang = n;
    return this;
  }

  SimJob in(String pool) {
    place = Place.inPools(List.of(pool));
    return this;
  }

  PlannedJob plan() {
    var spec =
        new JobSpec(
            "job-" + number,
            "lab",
            owner,
            new TaskSource.Count(tasks),
            new JobSpec.Data(
                Optional.of("gs://lab-bucket/out-" + number + "/{index}"), false, false, false),
            new JobSpec.Run(
                List.of("work"),
                Optional.empty(),
                Map.of(),
                timeout,
                Duration.ofSeconds(5),
                Duration.ofMinutes(15)),
            need,
            new JobSpec.Retries(1, 100),
            priority,
            place,
            false,
            gang,
            false,
            Optional.empty());
    return new PlannedJob(number, spec, at, stop, Optional.empty(), 0, 0, each, each);
  }
}
