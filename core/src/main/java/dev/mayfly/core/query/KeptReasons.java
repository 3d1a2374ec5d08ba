package dev.mayfly.core.query;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.List;

/** Machines that are kept because tasks of a job failed there for good. */
final class KeptReasons {
  private KeptReasons() {}

  /** One for each machine. */
  static List<JobExplanation.Reason> of(Ledger ledger, Job job, Instant now) {
    var reader = new IdleMachineReader(ledger, now);
    var keys =
        job.kept(now).stream()
            .map(it -> new DocumentKey.OfWorker(job.cluster(), it.worker()))
            .toList();
    if (keys.isEmpty()) return List.of();
    return ledger.readAll(keys).readableOnly().stream()
        .filter(stored -> keeps(stored.value(), job))
        .flatMap(stored -> reader.held(stored.value()).stream())
        .map(text -> new JobExplanation.Reason("kept", text))
        .toList();
  }

  /** Since a person ended that, the worker may be kept for another job. */
  private static boolean keeps(Worker worker, Job job) {
    return worker
        .cordon()
        .flatMap(Cordon::kept)
        .filter(it -> it.job().equals(job.uid()))
        .isPresent();
  }
}
