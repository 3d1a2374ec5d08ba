package dev.mayfly.core.jobs;

import dev.mayfly.core.lifecycle.StartDecision;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the jobs that the names of predecessors mean: of the jobs of that name and owner that are
 * known, the newest that was submitted before the successor. If there is none, it is the first that
 * was submitted after it, as when a program publishes both at once: but only a minute later, in
 * which an earlier one still arrives. A name alone is never another owner's: the own job may only
 * be late, and its successor would follow the wrong one.
 */
record PredecessorLookup(Ledger ledger, InstantSource clock) {
  /** How long messages may be under way. */
  static final Duration LATE = Duration.ofMinutes(1);

  /** How many of the cluster's newest jobs are searched if a newer job has the name by now. */
  private static final int SEARCHED = 200;

  /**
   * The rules with the uids that are known so far. A repeat finds no other jobs than before.
   *
   * @param successor that has the rules
   */
  AdmissionRules resolved(Job successor) {
    return resolved(successor.cluster(), successor.spec(), successor.submittedAt());
  }

  /** The same for a job that is not stored yet. */
  AdmissionRules resolved(String cluster, JobSpec spec, Instant submittedAt) {
    var rules = spec.admission();
    return rules.withAfter(
        rules.after().stream()
            .map(p -> resolved(cluster, p, p.address(spec.owner()), submittedAt))
            .toList());
  }

  private Predecessor resolved(
      String cluster, Predecessor predecessor, String address, Instant submittedAt) {
    var given = predecessor.uid();
    if (given.flatMap(uid -> job(cluster, uid)).isPresent()) return predecessor;
    var named = ledger.read(DocumentKey.OfJobName.of(cluster, address));
    if (named.isEmpty()) return predecessor;
    var name = named.get().value();
    if (given.isPresent() && !name.repeats().contains(given.get())) return predecessor;
    return predecessor.withUid(meant(cluster, name, submittedAt).map(Job::uid).or(() -> given));
  }

  private Optional<Job> meant(String cluster, JobName name, Instant submittedAt) {
    var holder = name.job().flatMap(uid -> job(cluster, uid));
    if (holder.isEmpty() || holder.get().submittedAt().isBefore(submittedAt)) return holder;
    var newest = named(cluster, name);
    return newest.stream()
        .filter(j -> j.submittedAt().isBefore(submittedAt))
        .findFirst()
        .or(() ->
            clock.instant().isBefore(submittedAt.plus(LATE))
                ? Optional.empty()
                : firstAfter(newest, submittedAt));
  }

  private static Optional<Job> firstAfter(List<Job> newest, Instant submittedAt) {
    return newest.stream()
        .filter(j -> !j.submittedAt().isAfter(submittedAt.plus(StartDecision.ARRIVAL)))
        .min(Comparator.comparing(Job::submittedAt));
  }

  /** Newest first. */
  private List<Job> named(String cluster, JobName name) {
    return ledger.query(new LedgerQuery.Jobs(cluster, SEARCHED)).readableOnly().stream()
        .map(VersionedDocument::value)
        .filter(j -> j.nameKey().equals(name.key()))
        .toList();
  }

  private Optional<Job> job(String cluster, String uid) {
    return ledger.read(new DocumentKey.OfJob(cluster, uid)).map(VersionedDocument::value);
  }
}
