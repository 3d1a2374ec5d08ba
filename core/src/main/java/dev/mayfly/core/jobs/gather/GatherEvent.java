package dev.mayfly.core.jobs.gather;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The event that says what a job's task reads as one folder, and what is missing there. */
public final class GatherEvent {
  private static final String GATHERED = "gathered";

  private GatherEvent() {}

  /** One event a job, whose id derives from the job's: a repeat writes it again. */
  public static List<LedgerWrite> of(Job job, Instant now, Optional<GatheredInputs> gathered) {
    return gathered.map(all -> put(job, now, all)).stream().toList();
  }

  private static LedgerWrite put(Job job, Instant now, GatheredInputs all) {
    var words = all.what() + all.remark().map(remark -> "; " + remark).orElse("");
    return new LedgerWrite.Put(
        new EventRecord(
            job.cluster(),
            EventRecord.repeatableId(job.submittedAt(), GATHERED, job.uid()),
            now,
            "job/" + job.spec().address(),
            GATHERED,
            words));
  }
}
