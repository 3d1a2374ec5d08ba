package dev.mayfly.core.query;

import dev.mayfly.core.lifecycle.StartDecision;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.query.task.FailedTasks;
import dev.mayfly.core.state.job.JobLookup;
import dev.mayfly.core.text.HumanAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which jobs another one waits for, for {@link JobExplainer}.
 *
 * @param waits why no task of a job runs, although it may
 */
record PredecessorReasons(Ledger ledger, Function<Job, Optional<String>> waits) {
  private static final String KIND = "after";

  /** All of them, without a read. */
  static String names(AdmissionRules rules) {
    return "after "
        + rules.after().stream()
            .map(p -> p.job() + (p.on() == Predecessor.On.END ? " (on any end)" : ""))
            .collect(Collectors.joining(", "));
  }

  /** A reason for each that has not ended; what the others did is in the job's events. */
  List<JobExplanation.Reason> of(Job job) {
    var reasons = new ArrayList<JobExplanation.Reason>();
    for (var predecessor : job.spec().admission().after())
      unmet(job, predecessor).ifPresent(text -> reasons.add(new JobExplanation.Reason(KIND, text)));
    if (reasons.isEmpty())
      reasons.add(
          new JobExplanation.Reason(KIND, "its predecessors have ended; it starts or ends now"));
    return reasons;
  }

  /** What a person does about it: nothing, as long as none of them has to succeed and will not. */
  String remedy(Job job) {
    return job.spec().admission().after().stream()
        .filter(it -> it.on() != Predecessor.On.END)
        .filter(it ->
            it.uid()
                .flatMap(uid -> ledger.read(new DocumentKey.OfJob(job.cluster(), uid)))
                .map(VersionedDocument::value)
                .filter(before -> !before.state().ended())
                .filter(before -> FailedTasks.of(ledger, before) > 0)
                .isPresent())
        .findFirst()
        .map(it ->
            "mayfly retry %s before it ends, once what failed is mended; or submit this one with after: [{job: %1$s, on: end}]"
                .formatted(it.job()))
        .orElse(
            "nothing, it starts or ends by itself then; submitted without after, it starts at once");
  }

  /** That it will not succeed: then this job ends, unless that one is retried in time. */
  private String failing(Job job, String name) {
    var failed = FailedTasks.of(ledger, job);
    return failed == 0
        ? ""
        : "; %s of it failed for good, so that this one will not start unless mayfly retry %s comes before its end; %s"
            .formatted(HumanAmounts.count(failed, "task"), name, StartDecision.despiteEnd(name));
  }

  private String hint(Job job, Predecessor predecessor) {
    var key = DocumentKey.OfJobName.of(job.cluster(), predecessor.address(job.spec().owner()));
    return new JobLookup(ledger).hint(job.cluster(), key);
  }

  /** The job that has the name, if it came after its successor. */
  private Optional<Job> later(Job job, Predecessor predecessor) {
    if (predecessor.uid().isPresent()) return Optional.empty();
    var key = DocumentKey.OfJobName.of(job.cluster(), predecessor.address(job.spec().owner()));
    return ledger
        .read(key)
        .flatMap(name -> name.value().job())
        .flatMap(uid -> ledger.read(new DocumentKey.OfJob(job.cluster(), uid)))
        .map(VersionedDocument::value)
        .filter(named -> !named.submittedAt().isBefore(job.submittedAt()));
  }

  private Optional<String> unmet(Job job, Predecessor predecessor) {
    var found =
        predecessor
            .uid()
            .map(uid -> new DocumentKey.OfJob(job.cluster(), uid))
            .flatMap(key -> ledger.readAll(List.of(key)).readableOnly().stream().findFirst())
            .map(VersionedDocument::value);
    if (found.isEmpty())
      return Optional.of(
          later(job, predecessor)
              .map(later ->
                  "job %s was submitted after this one, and is taken within two minutes unless an earlier one arrives"
                      .formatted(predecessor.job()))
              .orElseGet(() ->
                  "job %s has not arrived yet; if it does not within %d minutes, this job ends%s"
                      .formatted(
                          predecessor.job(),
                          StartDecision.ARRIVAL.toMinutes(),
                          hint(job, predecessor))));
    if (found.get().state() instanceof JobState.Ended) return Optional.empty();
    // Programs name jobs by their uids.
    var isUid = predecessor.job().equals(found.get().uid());
    var name = isUid ? found.get().spec().name() : predecessor.job();
    return Optional.of(
        "it starts when job %s (%s), which %s now, %s%s%s"
            .formatted(
                name,
                found.get().uid(),
                does(found.get()),
                predecessor.on() == Predecessor.On.END ? "has ended" : "has succeeded",
                predecessor.on() == Predecessor.On.END ? "" : failing(found.get(), name),
                waits
                    .apply(found.get())
                    .map(why -> "; job %s waits itself: %s".formatted(name, why))
                    .orElse("")));
  }

  private String does(Job job) {
    return waits.apply(job).isPresent()
        ? "runs no task"
        : "is " + JobStatusBuilder.word(job.state());
  }
}
