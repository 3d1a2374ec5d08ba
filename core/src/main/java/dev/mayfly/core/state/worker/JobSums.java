package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.plan.spending.JobSpending;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What ended machines add to the documents of jobs that have a {@code maxUsd}. */
final class JobSums {
  private static final int KEYS = 500;

  /** A commit has room for 500 writes. */
  private static final int MOST_JOBS = 200;

  private final Map<String, VersionedDocument<Job>> limited = new LinkedHashMap<>();
  private final Set<String> unreadable = new HashSet<>();
  private final Map<String, Double> sums = new LinkedHashMap<>();

  /**
   * @param machines all that may be added
   * @param unlimited uids of jobs that are known to have no limit
   */
  JobSums(Ledger ledger, List<Usage> machines, Set<String> unlimited) {
    var keys =
        machines.stream()
            .flatMap(it -> jobs(it).stream().map(job -> new DocumentKey.OfJob(it.cluster(), job)))
            .filter(key -> !unlimited.contains(key.job()))
            .distinct()
            .toList();
    for (var from = 0; from < keys.size(); from += KEYS) {
      var page = keys.subList(from, Math.min(keys.size(), from + KEYS));
      var read = ledger.readAll(page);
      for (var job : read.readableOnly())
        if (job.value().maxUsd().isPresent()) limited.put(job.value().uid(), job);
      read.unreadable().forEach(it -> unreadable.add(it.id()));
    }
  }

  private static Set<String> jobs(Usage machine) {
    var jobs = new HashSet<String>();
    machine.rows().forEach(row -> row.job().ifPresent(jobs::add));
    return jobs;
  }

  /**
   * Adds a machine. False if that has to wait: the sum of a job that cannot be read would lack it
   * for ever, and a commit has no room for all jobs.
   */
  boolean add(Usage machine) {
    var jobs = jobs(machine);
    if (jobs.stream().anyMatch(unreadable::contains)) return false;
    jobs.retainAll(limited.keySet());
    var all = new HashSet<>(sums.keySet());
    all.addAll(jobs);
    if (all.size() > MOST_JOBS && !sums.isEmpty()) return false;
    for (var job : jobs) sums.merge(job, JobSpending.usd(job, machine.rows()), Double::sum);
    return true;
  }

  /** The jobs with their sums, and the versions that these change. */
  private List<VersionedDocument<Job>> changed() {
    var changed = new ArrayList<VersionedDocument<Job>>();
    limited.forEach((uid, stored) -> {
      var sum = sums.get(uid);
      if (sum != null)
        changed.add(new VersionedDocument<>(stored.value().withEndedUsd(sum), stored.version()));
    });
    return changed;
  }

  List<LedgerWrite> writes() {
    return changed().stream()
        .<LedgerWrite>map(job -> new LedgerWrite.Update(job.value(), job.version()))
        .toList();
  }

  /**
   * The jobs as they were written.
   *
   * @param versions of the commit, whose first writes were these
   */
  List<VersionedDocument<Job>> written(List<String> versions) {
    var written = new ArrayList<VersionedDocument<Job>>();
    for (var job : changed())
      written.add(new VersionedDocument<>(job.value(), versions.get(written.size())));
    return written;
  }
}
