package dev.mayfly.bench.agents;

import dev.mayfly.core.model.LeaseRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The time from a job's submission until an agent has its task, for successive jobs of one task,
 * while other agents wait.
 */
final class DispatchLatency implements WaitingAgent.LeaseListener {
  private static final int WARM = 5;

  private final LinkedBlockingQueue<LeaseRef> heard = new LinkedBlockingQueue<>();

  @Override
  public void onLease(LeaseRef ref, long end) {
    heard.add(ref);
  }

  /** The latency of {@code jobs} jobs, after a warm-up. */
  List<String> lines(BenchCluster benchCluster, int jobs)
      throws InterruptedException, TimeoutException {
    benchCluster.awaitAgents();
    var seen = new ArrayList<LeaseRef>();
    var took = new ArrayList<Double>();
    for (var job = 0; job < WARM + jobs; job++) {
      var from = System.nanoTime();
      benchCluster.submit("latency-" + job, 1);
      await(seen);
      if (job >= WARM) took.add((System.nanoTime() - from) / 1e6);
    }
    took.sort(null);
    return List.of(
        String.format(
            Locale.ROOT,
            "accepted to leased, %d jobs of one task: median %.1f ms, p90 %.1f, from %.1f to %.1f",
            jobs,
            took.get(jobs / 2),
            took.get(jobs * 9 / 10),
            took.getFirst(),
            took.getLast()));
  }

  /** Agents report known leases again: only a new lease counts. */
  private void await(List<LeaseRef> seen) throws InterruptedException, TimeoutException {
    while (true) {
      var next = heard.poll(60, TimeUnit.SECONDS);
      if (next == null) throw new TimeoutException("nothing was leased for a minute");
      if (seen.contains(next)) continue;
      seen.add(next);
      return;
    }
  }
}
