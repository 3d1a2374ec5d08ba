package dev.mayfly.core.agent.task;

import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long a job's tasks run here, from those that ended well. Jobs not seen for long are
 * forgotten.
 */
public final class TaskDurations {
  private static final int JOBS = 32;
  private static final int REMEMBERED = 32;
  private static final Duration SHORT = Duration.ofSeconds(30);
  private static final Duration STOCK = Duration.ofMinutes(5);

  private final Map<String, JobStats> byJob =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, JobStats> eldest) {
          return size() > JOBS;
        }
      };

  /** What one job's tasks need and how long they run. */
  public static final class JobStats {
    public final Resources need;
    private double nanos;
    private int count;
    private long ended;

    private JobStats(Resources need) {
      this.need = need;
    }

    private void add(Duration run) {
      ended++;
      count = Math.min(count + 1, REMEMBERED);
      nanos += (run.toNanos() - nanos) / count;
    }

    public Duration mean() {
      return Duration.ofNanos((long) nanos);
    }

    /**
     * How many tasks to take at once on {@code slots}: as many as have ended so far, but at most a
     * few minutes of work, so that later workers find some. None if tasks are long, because queued
     * tasks would be kept from other workers.
     */
    public long stock(long slots) {
      return mean().compareTo(SHORT) <= 0 ? Math.min(ended, target(slots, STOCK)) : 0;
    }

    /**
     * How many tasks are {@code ahead} of work on {@code slots}; none if one task is longer than
     * that.
     */
    public long target(long slots, Duration ahead) {
      if (nanos >= ahead.toNanos()) return 0;
      return (long) Math.ceil(Math.min(slots, 10_000) * ahead.toNanos() / Math.max(nanos, 100_000));
    }
  }

  void add(String job, Resources need, Duration run) {
    byJob.computeIfAbsent(job, j -> new JobStats(need)).add(run);
  }

  public Optional<JobStats> of(String job) {
    return Optional.ofNullable(byJob.get(job));
  }

  /** By job; read only. */
  public Map<String, JobStats> all() {
    return byJob;
  }
}
