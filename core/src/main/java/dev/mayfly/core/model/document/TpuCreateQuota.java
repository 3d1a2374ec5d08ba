package dev.mayfly.core.model.document;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code deployment/tpu-create-quota}: recent TPU requests of all of the project's clusters. Cloud
 * TPU accepts {@value #A_MINUTE} creations per minute and project.
 */
public record TpuCreateQuota(List<Asked> asked) implements LedgerDocument {
  public static final int A_MINUTE = 60;
  public static final TpuCreateQuota NONE = new TpuCreateQuota(List.of());
  private static final Duration MINUTE = Duration.ofMinutes(1);

  public TpuCreateQuota {
    asked = List.copyOf(asked);
  }

  /** A number of requests at one time. */
  public record Asked(Instant at, int count) {}

  /** How many more may be requested now. Requests with future times, after a clock step, count. */
  public int remaining(Instant now) {
    return Math.max(0, A_MINUTE - recent(now).stream().mapToInt(Asked::count).sum());
  }

  /** Adds requests and drops those over a minute old. */
  public TpuCreateQuota with(int count, Instant now) {
    var next = new ArrayList<>(recent(now));
    next.add(new Asked(now, count));
    return new TpuCreateQuota(next);
  }

  private List<Asked> recent(Instant now) {
    return asked.stream().filter(a -> a.at().plus(MINUTE).isAfter(now)).toList();
  }

  @Override
  public DocumentKey.OfTpuCreateQuota key() {
    return new DocumentKey.OfTpuCreateQuota();
  }
}
