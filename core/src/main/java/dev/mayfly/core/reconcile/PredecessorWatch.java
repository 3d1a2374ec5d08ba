package dev.mayfly.core.reconcile;

import dev.mayfly.core.lifecycle.StartDecision;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.plan.PredecessorCycle;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.FailureLog;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Selects the waiting jobs whose predecessors ended. Predecessors that have not ended are known
 * from the reconcile, and ended ones are remembered: so a waiting job costs one read for each
 * predecessor that ends, however long it waits.
 *
 * <p>What is selected is only a guess: the job is changed by what is stored then.
 */
final class PredecessorWatch {
  /** If there are more, all are forgotten and read again. */
  private static final int MOST_REMEMBERED = 20_000;

  private final Ledger ledger;
  private final InstantSource clock;
  private final Map<String, JobState> ended = new ConcurrentHashMap<>();

  /** When this process last sent a trigger for what was due. */
  private final Map<Due, Instant> asked = new ConcurrentHashMap<>();

  PredecessorWatch(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * A job that must be looked at.
   *
   * @param since when it began to wait
   * @param decision by what was known; to wait, if a predecessor was unknown
   */
  record Due(DocumentKey.OfJob job, Instant since, StartDecision decision) {}

  /**
   * The jobs that must be looked at.
   *
   * @param live all jobs of the cluster that have not ended
   * @param tick whether jobs with unknown predecessors are looked at too
   */
  List<Due> due(List<Job> live, boolean tick, FailureLog failureLog) {
    var waiting = waiting(live);
    if (waiting.isEmpty()) return List.of();
    var states = new HashMap<String, JobState>();
    live.forEach(j -> states.put(j.uid(), j.state()));
    readEnded(waiting, states, failureLog);
    var due = new ArrayList<Due>();
    for (var job : waiting) {
      var rules = job.spec().admission();
      Function<String, Optional<JobState>> known =
          uid -> Optional.ofNullable(states.getOrDefault(uid, ended.get(uid)));
      var decision = StartDecision.of(rules, since(job), clock.instant(), known);
      var unknown = rules.after().stream().anyMatch(p -> p.uid().flatMap(known).isEmpty());
      if (!(decision instanceof StartDecision.Wait) || (unknown && tick))
        due.add(new Due(job.key(), since(job), decision));
    }
    return due;
  }

  /**
   * Whether a trigger must be sent for what is due: one is for all of a cluster, and is repeated
   * only when it is old. A process that has just started knows of none.
   *
   * @param due of one cluster
   */
  boolean isNews(List<Due> due) {
    var now = clock.instant();
    var news =
        due.stream()
            .map(job -> asked.getOrDefault(job, Instant.EPOCH))
            .anyMatch(at -> !at.plus(JobState.REPEAT).isAfter(now));
    if (!news) return false;
    if (asked.size() > MOST_REMEMBERED) asked.clear();
    due.forEach(job -> asked.put(job, now));
    return true;
  }

  private static Instant since(Job job) {
    return ((JobState.Waiting) job.state()).since();
  }

  private static List<Job> waiting(List<Job> live) {
    return live.stream().filter(j -> j.state() instanceof JobState.Waiting).toList();
  }

  private void readEnded(List<Job> waiting, Map<String, JobState> states, FailureLog failureLog) {
    if (ended.size() > MOST_REMEMBERED) ended.clear();
    var keys = new LinkedHashSet<DocumentKey.OfJob>();
    for (var job : waiting)
      for (var predecessor : job.spec().admission().after())
        predecessor
            .uid()
            .filter(uid -> !states.containsKey(uid) && !ended.containsKey(uid))
            .ifPresent(uid -> keys.add(new DocumentKey.OfJob(job.cluster(), uid)));
    for (var page : KeyPages.of(List.copyOf(keys)))
      for (var job : ledger.readAll(page).readable(failureLog::unreadable))
        if (job.value().state().ended()) ended.put(job.value().uid(), job.value().state());
        else states.put(job.value().uid(), job.value().state());
  }

  /** Each cycle of jobs that wait for one another, as their names, with the jobs in it. */
  static Map<String, List<Job>> cycles(List<Job> live) {
    var byUid = new TreeMap<String, Job>();
    waiting(live).forEach(j -> byUid.put(j.uid(), j));
    var cycles = new TreeMap<String, List<Job>>();
    while (true) {
      var edges = new TreeMap<String, List<String>>();
      byUid.forEach((uid, job) ->
          edges.put(
              uid,
              job.spec().admission().after().stream().flatMap(p -> p.uid().stream()).toList()));
      var cycle = PredecessorCycle.find(edges);
      if (cycle.isEmpty()) return cycles;
      var jobs = cycle.get().stream().map(byUid::remove).toList();
      var names = jobs.stream().map(j -> j.spec().name()).toList();
      cycles.put(String.join(", ", names), jobs);
    }
  }
}
