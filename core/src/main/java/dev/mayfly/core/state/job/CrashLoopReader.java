package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.plan.CrashLoops;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.waiting.Interruptions;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.util.List;
import java.util.Optional;

/** Reads whether a running job's tasks fail alike, or by the infrastructure alone. */
public record CrashLoopReader(Ledger ledger) {
  /** The first shards of a job are leased first, and suffice. */
  private static final int FIRST = 20;

  /** Costs nothing for a job of which no task was leased, or one is done. */
  public Optional<JobVeto.CrashLoop> of(Job job, TaskTotals totals) {
    var begun = totals.leased() > 0 || totals.failed() > 0;
    return begun && totals.done() == 0
        ? CrashLoops.of(job.tasks().count(), first(job))
        : Optional.empty();
  }

  /**
   * The same, or that all attempts ended by the infrastructure's fault. Costs a read if a task was
   * leased or had an attempt and none is done.
   */
  public Optional<JobVeto> orInterrupted(Job job, TaskTotals totals) {
    if (totals.done() > 0) return Optional.empty();
    var shards = first(job);
    return CrashLoops.of(job.tasks().count(), shards)
        .<JobVeto>map(loop -> loop)
        .or(() -> Interruptions.of(shards));
  }

  /** The first shards, with the newest failures of their tasks. */
  public List<Shard> first(Job job) {
    return ledger
        .query(new LedgerQuery.Shards(job.cluster(), job.uid(), 0, FIRST))
        .readableOnly()
        .stream()
        .map(VersionedDocument::value)
        .toList();
  }
}
