package dev.mayfly.core.text;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a document says, in a line for people who read the console. Only what the document itself
 * knows, so that each write of it can say so; times instead of durations, because a line stays as
 * it was written.
 */
public final class DocumentSummary {
  /** The most characters of a text that somebody else wrote. */
  static final int MOST = 200;

  /** The most names in a line. */
  private static final int NAMES = 5;

  private DocumentSummary() {}

  /** The name that people gave to what has only a uid; empty for all others. */
  public static Optional<String> name(LedgerDocument document) {
    return switch (document) {
      case Cluster cluster -> Optional.of(cluster.spec().name());
      case Job job -> Optional.of(job.spec().address());
      default -> Optional.empty();
    };
  }

  /** Empty for documents whose fields are a line themselves. */
  public static Optional<String> of(LedgerDocument document) {
    return switch (document) {
      case Cluster cluster -> Optional.of(cluster(cluster));
      case Job job -> Optional.of(JobSummary.of(job));
      case Worker worker -> Optional.of(worker(worker));
      case Shard shard -> Optional.of(shard(shard));
      case JobQueue queue -> Optional.of(queue(queue));
      case ClusterName name -> Optional.of(name(name));
      case JobName name -> Optional.of(name(name));
      default -> Optional.empty();
    };
  }

  private static String cluster(Cluster cluster) {
    var pools =
        cluster.spec().pools().stream()
            .map(pool ->
                "%s (%d to %d %s, %s)"
                    .formatted(
                        pool.name(),
                        pool.min(),
                        pool.max(),
                        pool.machineType(),
                        pool.provisioning().name().toLowerCase(Locale.ROOT).replace('_', '-')))
            .limit(NAMES)
            .collect(Collectors.joining(", "));
    var more = cluster.spec().pools().size() - NAMES;
    var full =
        cluster.fullStorage().isEmpty()
            ? ""
            : "; nearly full: " + String.join(", ", cluster.fullStorage());
    return "%s; pools: %s%s%s"
        .formatted(phase(cluster), pools, more > 0 ? " and " + more + " more" : "", full);
  }

  private static String phase(Cluster cluster) {
    return switch (cluster.phase()) {
      case UP -> "up, made " + time(cluster.createdAt());
      case GOING -> "being taken down";
      case GONE -> "gone" + cluster.endedAt().map(at -> " since " + time(at)).orElse("");
    };
  }

  private static String worker(Worker worker) {
    // Of a machine that is gone, its last problem reads like the cause.
    if (worker.state() instanceof WorkerState.Gone) return state(worker);
    var problem =
        worker.machineProblem().map(p -> "; problem: " + OneLine.of(p.text(), MOST)).orElse("")
            + worker.notice().map(at -> "; preemption announced " + time(at)).orElse("");
    return state(worker) + problem;
  }

  private static String state(Worker worker) {
    var since = time(worker.state().since());
    return switch (worker.state()) {
      case WorkerState.Launching _ -> "to be ordered since " + since;
      case WorkerState.Booting b ->
          b.queue()
              .map(queue -> "in the cloud's queue since " + time(queue.since()))
              .orElseGet(
                  () -> "ordered %s, must report by %s".formatted(since, time(b.deadline())));
      case WorkerState.Ready r ->
          r.idleSince()
              .map(idle -> "idle since " + time(idle))
              .orElseGet(() -> "ready since " + since + ", has work of " + jobs(worker));
      case WorkerState.Draining d ->
          "ends by %s: %s".formatted(time(d.deadline()), OneLine.of(d.reason(), MOST));
      case WorkerState.Drained d ->
          "has ended its work %s: %s".formatted(since, OneLine.of(d.reason(), MOST));
      case WorkerState.Lost l ->
          "given up %s (%s): %s"
              .formatted(
                  since, l.cause().name().toLowerCase(Locale.ROOT), OneLine.of(l.reason(), MOST));
      case WorkerState.Gone g -> "gone since %s: %s".formatted(since, OneLine.of(g.reason(), MOST));
    };
  }

  private static String jobs(Worker worker) {
    var jobs = worker.held().stream().map(Worker.Held::job).distinct().toList();
    var some = jobs.stream().limit(NAMES).map(uid -> "jobs/" + uid);
    var more = jobs.size() - NAMES;
    return jobs.isEmpty()
        ? "no job"
        : some.collect(Collectors.joining(", ")) + (more > 0 ? " and " + more + " more" : "");
  }

  private static String shard(Shard shard) {
    var failed = shard.failed().count();
    var tasks =
        shard.size() == 1
            ? "task " + shard.start()
            : "tasks %d to %d".formatted(shard.start(), shard.end() - 1);
    return "%s: %,d done%s; %s"
        .formatted(
            tasks,
            shard.done().count(),
            failed > 0 ? ", %,d failed or stopped".formatted(failed) : "",
            place(shard));
  }

  private static String place(Shard shard) {
    return switch (shard.state()) {
      case READY -> "waits for a worker";
      case SPENT -> "waits for a worker that is not a spot machine";
      case LEASED ->
          shard
              .owner()
              .map(o -> "with worker %s since %s".formatted(o.worker(), time(shard.leasedAt())))
              .orElse("with a worker");
      case ENDED -> "ended";
    };
  }

  private static String queue(JobQueue queue) {
    var names = queue.rows().stream().map(JobQueue.Row::address).limit(NAMES);
    var more = queue.rows().size() - NAMES;
    var order = queue.rows().isEmpty() ? "no job" : names.collect(Collectors.joining(", "));
    var after = queue.waiting().size();
    return "in order: %s%s%s"
        .formatted(
            order,
            more > 0 ? " and " + more + " more" : "",
            after == 0 ? "" : "; not started, after others: " + HumanAmounts.count(after, "job"));
  }

  private static String name(ClusterName name) {
    return name.uid()
        .map(uid -> "leads to clusters/" + uid)
        .orElse("no cluster has had this name; only a down came");
  }

  private static String name(JobName name) {
    return name.job()
        .map(uid ->
            "leads to jobs/%s, which %s"
                .formatted(uid, name.live() ? "has not ended" : "has ended"))
        .orElse("no job has had this name; only a stop or a retry came");
  }

  /** To the second. */
  static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
