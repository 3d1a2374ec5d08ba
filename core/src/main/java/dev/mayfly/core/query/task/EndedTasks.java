package dev.mayfly.core.query.task;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.jobs.JobFinalization;
import dev.mayfly.core.jobs.OutcomeCounts;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskProgress;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.state.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tasks of an ended job, from its outcome objects. */
final class EndedTasks {
  /** An outcome object is a few megabytes: the metadata tells which ones are worth reading. */
  private static final int MAX_READ = 3;

  private static final int MAX_SEEN = 50;
  private static final int CAP = 128 << 20;

  private final Context context;

  EndedTasks(Context context) {
    this.context = context;
  }

  /** Empty if the job has no outcome, or it was deleted. */
  Optional<TaskPage> page(Cluster cluster, Job job, TaskRequest taskRequest) {
    var bucketLayout = BucketLayout.of(cluster.spec().bucket());
    var tasks = new ArrayList<TaskStatus>();
    var read = 0;
    var from = taskRequest.from();
    for (var seen = 0; from < job.knownTasks() && seen < MAX_SEEN && read < MAX_READ; seen++) {
      var number = (int) (from / JobFinalization.PIECE);
      var piece = bucketLayout.outcome(job.uid(), number);
      var found = find(piece);
      if (found.isEmpty()) return Optional.empty();
      if (mayHold(found.get(), taskRequest)) {
        read++;
        for (var outcome : read(piece)) {
          if (outcome.index() < from || !taskRequest.wants(state(outcome))) continue;
          if (tasks.size() == taskRequest.limit())
            return Optional.of(new TaskPage(tasks, Optional.of(tasks.getLast().index() + 1)));
          tasks.add(view(job, outcome));
        }
      }
      from = (number + 1L) * JobFinalization.PIECE;
    }
    return Optional.of(
        new TaskPage(tasks, Optional.of(from).filter(next -> next < job.knownTasks())));
  }

  /** Whoever may not list a bucket is denied what is not there. */
  private Optional<ObjectInfo> find(ObjectUrl piece) {
    try {
      return context.objects().find(piece);
    } catch (DeniedException missing) {
      return Optional.empty();
    }
  }

  private List<TaskOutcome> read(ObjectUrl piece) {
    return context.objects().read(piece, CAP).map(context.codec()::outcomes).orElse(List.of());
  }

  private static boolean mayHold(ObjectInfo piece, TaskRequest taskRequest) {
    return OutcomeCounts.of(piece).results().keySet().stream()
        .anyMatch(result -> taskRequest.wants(state(result)));
  }

  private static TaskStatus.State state(TaskOutcome outcome) {
    return state(outcome.result());
  }

  private static TaskStatus.State state(TaskOutcome.Result result) {
    return switch (result) {
      case DONE -> TaskStatus.State.DONE;
      case FAILED -> TaskStatus.State.FAILED;
      case STOPPED, NOT_RUN -> TaskStatus.State.STOPPED;
      case INCONSISTENT -> TaskStatus.State.INCONSISTENT;
    };
  }

  private TaskStatus view(Job job, TaskOutcome outcome) {
    var state = state(outcome);
    return new TaskStatus(
        job.uid(),
        outcome.index(),
        state,
        outcome.input(),
        GatheredText.of(context, job, outcome.input()),
        outcome.output(),
        outcome.variables(),
        outcome.attempts(),
        outcome.allWorkers(),
        outcome.startedAt(),
        outcome.endedAt(),
        outcome.failure(),
        Optional.empty(),
        outcome.metrics().flatMap(TaskUse::reported),
        outcome.metrics().flatMap(TaskProgress::of),
        outcome.adoptedBy(),
        outcome.continued(),
        Optional.empty(),
        Optional.empty(),
        outcome.by().filter(by -> !by.startsWith(job.uid() + "/")).isPresent(),
        doneBy(job, outcome),
        outcome
            .metrics()
            .flatMap(TaskUse::of)
            .or(() -> outcome.failure().flatMap(AttemptFailure::used)),
        Optional.empty(),
        outcome.metrics().flatMap(TaskMetrics::diverged));
  }

  private static Optional<String> doneBy(Job job, TaskOutcome outcome) {
    return outcome
        .by()
        .filter(by -> by.contains("/") && !by.startsWith(job.uid() + "/"))
        .flatMap(by -> outcome.byTask().map(task -> by.substring(0, by.indexOf('/')) + "/" + task));
  }
}
