package dev.mayfly.core.text;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.CountedProgress;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Locale;

/** One line that says how far a job is, by its document alone. */
final class JobSummary {
  private JobSummary() {}

  static String of(Job job) {
    return switch (job.state()) {
      case JobState.Waiting w ->
          "waits for %s since %s"
              .formatted(
                  HumanAmounts.count(job.spec().admission().after().size(), "other job"),
                  time(w.since()));
      case JobState.Expanding e -> "its tasks are being listed, %,d so far".formatted(e.counted());
      case JobState.Running r -> waits(job) + progress(job) + "; started " + time(r.since());
      case JobState.Stopping s ->
          "%s; stopping since %s: %s".formatted(progress(job), time(s.since()), s.by());
      case JobState.Finishing f ->
          "outputs are compared with their sentinels since %s, %,d of %,d tasks so far"
              .formatted(
                  time(f.since()),
                  f.audited().map(JobState.Audited::tasks).orElse(0L),
                  job.knownTasks());
      case JobState.Ended e ->
          "%s at %s: %s"
              .formatted(
                  e.result().name().toLowerCase(Locale.ROOT),
                  time(e.since()),
                  OneLine.of(e.reason(), DocumentSummary.MOST));
    };
  }

  private static String progress(Job job) {
    var all = job.tasks().count();
    if (job.progress().isEmpty())
      return "%s, none counted yet".formatted(HumanAmounts.count(all, "task"));
    var progress = job.progress().get();
    return "%s%s (counted %s)"
        .formatted(counts(progress.totals(), all), places(progress), time(progress.at()));
  }

  private static String waits(Job job) {
    return job.progress()
        .flatMap(CountedProgress::waits)
        .map(why -> "waits: " + OneLine.of(why, DocumentSummary.MOST) + "; ")
        .orElse("");
  }

  private static String counts(TaskTotals totals, long all) {
    var parts = new ArrayList<String>();
    parts.add("%,d of %s done".formatted(totals.done(), HumanAmounts.count(all, "task")));
    if (totals.failed() > 0) parts.add("%,d failed".formatted(totals.failed()));
    totals.stopped().filter(n -> n > 0).ifPresent(n -> parts.add("%,d stopped".formatted(n)));
    return String.join(", ", parts);
  }

  private static String places(CountedProgress progress) {
    var totals = progress.totals();
    var text = new StringBuilder();
    if (totals.leased() > 0)
      text.append(
          ", %,d on %s"
              .formatted(totals.leased(), HumanAmounts.count(progress.workers(), "worker")));
    if (totals.ready() > 0) text.append(", %,d in the queue".formatted(totals.ready()));
    return text.toString();
  }

  private static String time(Instant at) {
    return DocumentSummary.time(at);
  }
}
