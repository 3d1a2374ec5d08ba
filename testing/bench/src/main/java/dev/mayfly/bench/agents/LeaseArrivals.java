package dev.mayfly.bench.agents;

import dev.mayfly.core.model.LeaseRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The leases that agents received, with their times. */
final class LeaseArrivals implements WaitingAgent.LeaseListener {
  private final Set<Long> tasks = new HashSet<>();
  private final Set<LeaseRef> refs = new HashSet<>();
  private final List<Long> at = new ArrayList<>();
  private final CountDownLatch all = new CountDownLatch(1);
  private int expected = Integer.MAX_VALUE;

  synchronized void expect(int count) {
    expected = count;
  }

  @Override
  public synchronized void onLease(LeaseRef ref, long end) {
    if (!refs.add(ref)) return;
    for (var task = ref.start(); task < end; task++) if (tasks.add(task)) at.add(System.nanoTime());
    if (tasks.size() >= expected) all.countDown();
  }

  boolean await(Duration limit) throws InterruptedException {
    return all.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  synchronized List<String> lines(long accepted) {
    return List.of(
        "  first, half, last task known to its agent after %.2f, %.2f, %.2f s"
            .formatted(
                seconds(at.getFirst(), accepted),
                seconds(at.get(at.size() / 2), accepted),
                seconds(at.getLast(), accepted)),
        "  leases: %,d".formatted(refs.size()));
  }

  private static double seconds(long at, long since) {
    return (at - since) / 1e9;
  }

  @Override
  public synchronized String toString() {
    return tasks.size() + " of " + expected + " tasks";
  }
}
