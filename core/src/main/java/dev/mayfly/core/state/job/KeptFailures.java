package dev.mayfly.core.state.job;

import dev.mayfly.core.lifecycle.FinalFailures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.KeptAttempt;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.capacity.KeptFolders;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Keeps the machine of an attempt by which a task failed for good, if its job says {@code
 * keepFailed}: it is cordoned in the commit that ends the lease, so that nothing starts there in
 * between, and its agent keeps the attempt's folder for as long. The job's document counts its
 * machines.
 */
public final class KeptFailures {
  /** How many machines of one job are kept at once: each is paid for. */
  public static final int MOST = 2;

  private final Context context;

  public KeptFailures(Context context) {
    this.context = context;
  }

  /**
   * Attempts of one job that were their tasks' last.
   *
   * @param host of the worker on which they failed
   */
  public record Failed(Job job, List<AttemptFailure> attempts, int host) {
    /** Those of a lease that was returned; its worker has no other hosts that report failures. */
    public static Failed of(Job job, Shard before, Shard after, List<AttemptFailure> failures) {
      return new Failed(job, FinalFailures.of(before, after, failures), 0);
    }
  }

  /**
   * What comes of it.
   *
   * @param worker cordoned, if it is kept
   * @param writes of the job's document and of events; they belong to the worker's commit
   */
  public record Outcome(Worker worker, List<LedgerWrite> writes) {}

  /** The same of all jobs whose leases a report returns. */
  public Outcome keep(Worker worker, List<Failed> failed, SyncReport report, Instant now) {
    var next = worker;
    var writes = new ArrayList<LedgerWrite>();
    for (var ofJob : failed) {
      var outcome = keep(next, ofJob, f -> report.folder(it -> it.isOf(f)).isPresent(), now);
      next = outcome.worker();
      writes.addAll(outcome.writes());
    }
    return new Outcome(next, writes);
  }

  /**
   * Keeps the worker for the first of these attempts whose folder is there, or says why not.
   *
   * @param hasFolder whether the agent has an attempt's folder
   */
  public Outcome keep(
      Worker worker, Failed failed, Predicate<AttemptFailure> hasFolder, Instant now) {
    var wish = failed.job().spec().run().taskEnvironment().keepFailed();
    if (wish.isEmpty() || failed.attempts().isEmpty()) return new Outcome(worker, List.of());
    var attempt = failed.attempts().stream().filter(hasFolder).findFirst();
    var stored = context.ledger().readAll(List.of(failed.job().key())).readableOnly();
    var refusal = refusal(worker, attempt, stored, now);
    if (refusal.isPresent()) {
      var why =
          "%s failed for good on worker %s: %s"
              .formatted(tasks(failed.attempts().getFirst(), failed), worker.name(), refusal.get());
      return new Outcome(worker, List.of(event(worker, failed.job(), "not kept", why, now)));
    }
    return kept(worker, failed, attempt.orElseThrow(), stored.getFirst(), wish.get(), now);
  }

  private static Optional<String> refusal(
      Worker worker,
      Optional<AttemptFailure> attempt,
      List<VersionedDocument<Job>> job,
      Instant now) {
    if (!worker.state().live()) return Optional.of("it ends already");
    var other = Cordons.of(worker, now).flatMap(Cordon::kept);
    if (other.isPresent())
      return Optional.of(
          "it is kept already, for task %d of job %s"
              .formatted(other.get().task(), other.get().name()));
    if (attempt.isEmpty())
      return Optional.of(
          "no folder is left: an agent holds those of the first three failed attempts, and what never started has none");
    if (job.isEmpty()) return Optional.of("the job's document cannot be read");
    var kept = job.getFirst().value().kept(now);
    return kept.size() < MOST
        ? Optional.empty()
        : Optional.of(
            "the job has %s already, %s, and no more at once"
                .formatted(
                    HumanAmounts.count(kept.size(), "kept machine"),
                    kept.stream().map(Job.KeptMachine::worker).collect(Collectors.joining(", "))));
  }

  private Outcome kept(
      Worker worker,
      Failed failed,
      AttemptFailure attempt,
      VersionedDocument<Job> job,
      Duration wish,
      Instant now) {
    var until = now.plus(wish);
    var kept =
        new KeptAttempt(
            failed.job().uid(),
            failed.job().spec().address(),
            attempt.index(),
            attempt.attempt(),
            failed.host(),
            until,
            Optional.empty());
    var cordon =
        Cordons.of(worker, now).map(it -> it.keeping(kept)).orElseGet(() -> Cordon.of(kept, now));
    var machines = new ArrayList<>(job.value().kept(now));
    machines.add(new Job.KeptMachine(worker.name(), attempt.index(), until));
    var why =
        "worker %s, on which %s failed for good, for %s (keepFailed): nothing new starts there; mayfly uncordon %1$s ends that"
            .formatted(worker.name(), tasks(attempt, failed), HumanDuration.exact(wish));
    return new Outcome(
        worker.counted(now).withCordon(Optional.of(cordon)),
        List.of(
            new LedgerWrite.Update(job.value().withKept(machines), job.version()),
            event(worker, failed.job(), "kept", why, now),
            event(
                worker,
                "cordoned",
                "it is kept " + KeptFolders.words(kept) + ": nothing new starts there",
                now)));
  }

  private static String tasks(AttemptFailure named, Failed failed) {
    var first = "task " + named.index();
    var more = failed.attempts().size() - 1;
    return more == 0 ? first : first + " and " + HumanAmounts.count(more, "other");
  }

  /** Says that the time is over of a worker that was kept; a repeat changes nothing. */
  public Optional<VersionedDocument<Worker>> end(VersionedDocument<Worker> stored) {
    var now = context.clock().instant();
    var worker = stored.value();
    var over = worker.cordon().filter(it -> it.kept().isPresent() && !it.holds(now));
    if (over.isEmpty()) return Optional.of(stored);
    return end(
        stored,
        "it was kept " + KeptFolders.words(over.get().kept().get()) + "; its folder is deleted",
        now);
  }

  private Optional<VersionedDocument<Worker>> end(
      VersionedDocument<Worker> stored, String why, Instant now) {
    var worker = stored.value();
    context
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Update(
                    worker.counted(now).withCordon(Optional.empty()), stored.version()),
                event(worker, "uncordoned", why, now),
                new LedgerWrite.Signal(worker.cluster(), now, true, List.of(worker.name()))));
    return context.ledger().read(new DocumentKey.OfWorker(worker.cluster(), worker.name()));
  }

  private LedgerWrite event(Worker worker, Job job, String what, String why, Instant now) {
    var about = "job/" + job.spec().address();
    return new LedgerWrite.Put(context.event(worker.cluster(), now, about, what, why));
  }

  private LedgerWrite event(Worker worker, String what, String why, Instant now) {
    var about = "worker/" + worker.name();
    return new LedgerWrite.Put(context.event(worker.cluster(), now, about, what, why));
  }
}
