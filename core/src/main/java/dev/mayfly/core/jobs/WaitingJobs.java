package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.lifecycle.StartDecision;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Jobs that wait for others: finds those that may start or can no longer start (decision 70).
 * Decides by what is stored, so each call may be lost or repeated.
 */
public final class WaitingJobs {
  /** Documents that are read at once. */
  private static final int PAGE = 500;

  private final Context context;
  private final PredecessorLookup predecessorLookup;

  public WaitingJobs(Context context) {
    this.context = context;
    predecessorLookup = new PredecessorLookup(context.ledger(), context.clock());
  }

  /**
   * A job that must be looked at.
   *
   * @param job with the predecessors that are known now
   */
  record Due(Job job, String version, StartDecision decision) {}

  /** The state of a job whose tasks are not listed; the caller sends {@link #trigger}. */
  static JobState initialState(JobSpec spec, Instant now) {
    return spec.admission().after().isEmpty()
        ? new JobState.Expanding("", 0, -1).released(now)
        : new JobState.Waiting(now);
  }

  /**
   * Throws {@link InvalidInputException} if a job that is to wait again could only end again: the
   * predecessor that it is bound to has ended otherwise than it requires.
   */
  void checkMayStart(Job job) {
    var resolved = resolved(job);
    if (!(decision(resolved, states(List.of(resolved))) instanceof StartDecision.End end)) return;
    throw new InvalidInputException(
        "job",
        "job %s cannot run again: %s; retry that job first (mayfly retry), or submit both again (mayfly submit)%s"
            .formatted(job.spec().name(), end.why(), end.despite().map("; "::concat).orElse("")));
  }

  /** Continues a job in its initial state. */
  static Trigger trigger(Job job) {
    return job.state() instanceof JobState.Waiting
        ? new Trigger.StartWaiting(job.cluster())
        : new Trigger.Expand(job.cluster(), job.uid());
  }

  /** The job with the predecessors that are known now. */
  Job resolved(Job job) {
    var rules = job.spec().admission();
    var known = predecessorLookup.resolved(job);
    return known.equals(rules) ? job : job.withSpec(job.spec().withAdmission(known));
  }

  /**
   * To be called after a waiting job was stored: its predecessors may have ended before. Those that
   * end later have it looked at.
   */
  void startIfDue(Job job) {
    var decision = decision(job, states(List.of(job)));
    if (!(decision instanceof StartDecision.Wait)) TriggerSender.send(context.bus(), trigger(job));
  }

  /** The cluster's waiting jobs that may start or must end, best first. */
  List<Due> due(String cluster) {
    var waiting = waiting(cluster);
    var states = states(waiting.stream().map(VersionedDocument::value).toList());
    var due = new ArrayList<Due>();
    for (var stored : waiting) {
      var job = stored.value();
      if (predecessors(job).anyMatch(p -> p.uid().filter(states::containsKey).isEmpty())) {
        job = resolved(job);
        states.putAll(states(List.of(job)));
      }
      var decision = decision(job, states);
      if (!(decision instanceof StartDecision.Wait))
        due.add(new Due(job, stored.version(), decision));
      else if (!job.equals(stored.value()))
        // Of two calls, both found the same.
        context.ledger().commit(List.of(new LedgerWrite.Update(job, stored.version())));
    }
    due.sort(Comparator.comparing(d -> JobQueue.row(d.job()), JobQueue.ORDER));
    return due;
  }

  private StartDecision decision(Job job, Map<String, JobState> states) {
    return StartDecision.of(
        job.spec().admission(),
        ((JobState.Waiting) job.state()).since(),
        context.clock().instant(),
        uid -> Optional.ofNullable(states.get(uid)));
  }

  private List<VersionedDocument<Job>> waiting(String cluster) {
    var queue = context.ledger().read(new DocumentKey.OfJobQueue(cluster));
    var keys =
        queue.map(q -> q.value().waiting()).orElse(List.of()).stream()
            .map(uid -> new DocumentKey.OfJob(cluster, uid))
            .toList();
    return read(keys).stream().filter(j -> j.value().state() instanceof JobState.Waiting).toList();
  }

  /** The states of the jobs' predecessors, as far as there are such jobs. */
  private Map<String, JobState> states(List<Job> jobs) {
    var keys = new LinkedHashSet<DocumentKey.OfJob>();
    for (var job : jobs)
      predecessors(job)
          .flatMap(p -> p.uid().stream())
          .forEach(uid -> keys.add(new DocumentKey.OfJob(job.cluster(), uid)));
    var states = new HashMap<String, JobState>();
    for (var job : read(List.copyOf(keys))) states.put(job.value().uid(), job.value().state());
    return states;
  }

  private static Stream<Predecessor> predecessors(Job job) {
    return job.spec().admission().after().stream();
  }

  private <D extends LedgerDocument> List<VersionedDocument<D>> read(
      List<? extends DocumentKey<D>> keys) {
    var found = new ArrayList<VersionedDocument<D>>();
    for (var from = 0; from < keys.size(); from += PAGE)
      found.addAll(
          context
              .ledger()
              .readAll(keys.subList(from, Math.min(keys.size(), from + PAGE)))
              .readableOnly());
    return found;
  }

  /** Ends a waiting job; one that no longer waits is unchanged. */
  public void end(DocumentKey.OfJob key, StartDecision.End end) {
    Transactions.retry(
        "job " + key.job(),
        () -> {
          var stored = context.ledger().read(key);
          return stored.isEmpty()
              || !(stored.get().value().state() instanceof JobState.Waiting)
              || end(stored.get(), end);
        });
  }

  private boolean end(VersionedDocument<Job> stored, StartDecision.End end) {
    var job = ended(stored.value(), end);
    var next = new LedgerWrite.Update(job, stored.version());
    if (!context.ledger().commit(List.of(next)).done()) return false;
    TriggerSender.send(context.bus(), new Trigger.Finalize(job.cluster(), job.uid()));
    return true;
  }

  /** The job as it begins to end without having run. */
  Job ended(Job job, StartDecision.End end) {
    return job.with(
        JobState.Finishing.unstarted(context.clock().instant(), end.result(), end.reason()));
  }
}
