package dev.mayfly.bench.agents;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * An agent that waits for work, reports it, and runs none of it. Like a real agent with running
 * tasks, it syncs once a second when it has work.
 */
final class WaitingAgent implements Runnable {
  static final Resources TOTAL = Resources.cpu(2, 4L << 30);

  private static final String NONCE = "bench";
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Receives the agents' leases. */
  interface LeaseListener {
    /** An agent received the lease of tasks from its start to {@code end}. */
    void onLease(LeaseRef ref, long end);
  }

  private final int number;
  private final URI url;
  private final LeaseListener leaseListener;
  private final Thread thread;
  private long seq;
  private volatile boolean greeted;

  WaitingAgent(int number, URI url, LeaseListener leaseListener) {
    this.number = number;
    this.url = url;
    this.leaseListener = leaseListener;
    thread = Thread.ofVirtual().name(name(number)).unstarted(this);
  }

  static Worker stored(int number, Instant now) {
    return new Worker(
        BenchCluster.CLUSTER,
        name(number),
        "small",
        "europe-west4-a",
        "n2-standard-2",
        new WorkerState.Launching(now, now.plusSeconds(600)),
        0,
        0,
        Sha256.of(NONCE),
        Optional.empty(),
        Resources.ZERO,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        1,
        now,
        Optional.empty(),
        Optional.empty(),
        Provisioning.SPOT,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static String name(int number) {
    return "bench-small-%04d".formatted(number);
  }

  void begin() {
    thread.start();
  }

  void end() {
    thread.interrupt();
  }

  /** Whether it has had a reply. */
  boolean isAnswered() {
    return greeted;
  }

  @Override
  public void run() {
    List<SyncOrders.Lease> has = List.of();
    try {
      while (!Thread.currentThread().isInterrupted()) {
        var orders = sync(has);
        if (orders.isEmpty()) TimeUnit.MILLISECONDS.sleep(500);
        else {
          greeted = true;
          has = orders.get().leases();
          has.forEach(lease -> leaseListener.onLease(lease.ref(), lease.end()));
          if (!has.isEmpty()) TimeUnit.SECONDS.sleep(1);
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<SyncOrders> sync(List<SyncOrders.Lease> has) throws InterruptedException {
    var body = HttpRequest.BodyPublishers.ofByteArray(Wire.shared().report(report(has)));
    var request = HttpRequest.newBuilder(url).timeout(LONGEST).POST(body).build();
    try {
      var response = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return response.statusCode() == 200
          ? Optional.of(Wire.shared().orders(response.body()))
          : Optional.empty();
    } catch (IOException again) {
      return Optional.empty();
    }
  }

  private SyncReport report(List<SyncOrders.Lease> has) {
    return new SyncReport(
        BenchCluster.CLUSTER,
        name(number),
        0,
        new Incarnation("i-" + number, "boot-" + number, BenchCluster.born()),
        NONCE,
        ++seq,
        TOTAL,
        has.isEmpty() ? TOTAL : Resources.ZERO,
        Map.of(),
        has.stream().map(WaitingAgent::running).toList(),
        has.stream().map(SyncOrders.Lease::jobHash).distinct().toList(),
        List.of(),
        Optional.empty(),
        false,
        25,
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static SyncReport.Lease running(SyncOrders.Lease lease) {
    var start = lease.ref().start();
    return new SyncReport.Lease(
        lease.ref(),
        lease.end(),
        TaskSet.none(start),
        List.of(),
        LongStream.range(start, lease.end()).boxed().toList(),
        lease.end(),
        false,
        List.of(),
        List.of());
  }
}
