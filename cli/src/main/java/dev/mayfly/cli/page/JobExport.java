package dev.mayfly.cli.page;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.JobUse;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.metrics.MetricCurve;
import dev.mayfly.cli.metrics.MetricCurves;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.HumanAmounts;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads what the file of a job has, within bounds that the file tells. */
final class JobExport {
  static final int MOST_TASKS = 20_000;

  /** Of so many tasks all failed attempts are read, one call each. */
  static final int MOST_HISTORIES = 200;

  /** Of so many tasks it has what their metrics were over time, of each in so many points. */
  static final int MOST_CURVES = 200;

  /** Of so many attempts before a task's newest one too. */
  static final int MOST_EARLIER = 200;

  static final int MOST_POINTS = 200;

  private static final int MOST_JOBS = 500;
  private static final int PAGE = 500;
  private static final int SAID_EVERY = 5_000;

  private final CliContext cliContext;
  private final ApiClient apiClient;
  private final List<String> cut = new ArrayList<>();

  JobExport(CliContext cliContext) {
    this.cliContext = cliContext;
    apiClient = cliContext.api();
  }

  ExportedJob read(String cluster, String named) {
    var job = apiClient.job(cluster, named);
    var at = cliContext.now();
    var why = apiClient.explain(cluster, job.uid());
    var cost = apiClient.cost(cluster, CostBy.DAY, Optional.empty(), Optional.of(job.uid()));
    var since = LocalDate.ofInstant(job.submittedAt(), ZoneOffset.UTC);
    var beside = apiClient.cost(cluster, CostBy.JOB, Optional.of(since), Optional.empty());
    var estimate =
        job.endedAt().isEmpty()
            ? apiClient.estimate(cluster, job.uid())
            : Optional.<JobEstimate>empty();
    var jobs = jobs(job);
    var tasks = tasks(job);
    var histories = histories(job, tasks);
    var curves = curves(job, tasks);
    var machines = TaskMachines.of(apiClient.workers(cluster, true), tasks, histories);
    var endpoints = cliContext.endpoints();
    var laptop = !endpoints.cloud().isEmpty();
    return new ExportedJob(
        at,
        cluster,
        laptop ? "" : endpoints.project(),
        laptop,
        ExportedPage.version(),
        List.copyOf(cut),
        leftOut(job),
        ExportedJob.Job.of(job),
        ExportedJob.Why.of(why),
        cost.map(it -> ExportedJob.Cost.of(it, beside)),
        estimate,
        JobUse.of(apiClient, job),
        tasks,
        histories,
        curves,
        machines,
        jobs);
  }

  private List<TaskStatus> tasks(JobStatus job) {
    var read = new ArrayList<TaskStatus>();
    Optional<Long> next = Optional.of(0L);
    while (next.isPresent() && read.size() < MOST_TASKS) {
      var before = read.size();
      var page = apiClient.tasks(job.cluster(), job.uid(), Optional.empty(), next.get(), PAGE);
      read.addAll(page.tasks());
      next = page.next();
      if (next.isPresent() && before / SAID_EVERY < read.size() / SAID_EVERY)
        cliContext
            .screen()
            .note("%s of %s read".formatted(count(read.size()), tasksOf(job.tasks())));
    }
    next.ifPresent(from ->
        cut.add(
            "It has the first %s of %s, and %s of %s that failed. The others: mayfly tasks %s --from %d -c %s"
                .formatted(
                    count(read.size()),
                    tasksOf(job.tasks()),
                    count(failed(read)),
                    count(job.totals().failed()),
                    job.address(),
                    from,
                    job.cluster())));
    return read;
  }

  private static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  private static String tasksOf(long n) {
    return HumanAmounts.count(n, "task");
  }

  private static long failed(List<TaskStatus> tasks) {
    return tasks.stream().filter(JobExport::isFailed).count();
  }

  private static boolean isFailed(TaskStatus task) {
    return task.state() == TaskStatus.State.FAILED;
  }

  /** A list of tasks has the last failed attempt of those that are not done. */
  private static boolean hasMore(TaskStatus task) {
    var without =
        task.attempts().map(JobExport::withoutResult).orElse(0L)
            - (task.failure().isPresent() ? 1 : 0);
    return without > 0;
  }

  private static long withoutResult(TaskAttempts attempts) {
    return attempts.failures() + attempts.infrastructure() + attempts.interruptions();
  }

  private List<TaskStatus> histories(JobStatus job, List<TaskStatus> tasks) {
    var several = new ArrayList<>(tasks.stream().filter(JobExport::hasMore).toList());
    // Stable: by index among those that failed, and among the others.
    several.sort((a, b) -> Boolean.compare(isFailed(b), isFailed(a)));
    if (several.size() > MOST_HISTORIES)
      cut.add(
          "Of %s of %s with several attempts it has the last failed one at most. All of them: mayfly tasks %s/INDEX -c %s"
              .formatted(
                  count(several.size() - MOST_HISTORIES),
                  tasksOf(several.size()),
                  job.address(),
                  job.cluster()));
    return several.stream()
        .limit(MOST_HISTORIES)
        .flatMap(task -> apiClient.findTask(job.cluster(), job.uid(), task.index()).stream())
        .toList();
  }

  /** None is asked for where no task has metrics. */
  private List<MetricCurve> curves(JobStatus job, List<TaskStatus> tasks) {
    var several = tasks.stream().filter(task -> task.metrics().isPresent()).count();
    if (several == 0 && failed(tasks) == 0) return List.of();
    var read = stored(job);
    var told = read.stream().map(MetricCurve::index).distinct().count();
    if (told == MOST_CURVES
        || read.size() - told == MOST_EARLIER
        || read.stream().anyMatch(it -> it.rows().size() > MOST_POINTS))
      cut.add(
          "It has metrics over time of at most the first %d tasks that have some and of %d attempts before their newest ones, of each at most %d points. All that is kept: mayfly ui"
              .formatted(MOST_CURVES, MOST_EARLIER, MOST_POINTS));
    return read.stream().map(curve -> curve.atMost(MOST_POINTS)).toList();
  }

  /** Whoever may read the API need not be one who may read objects. */
  private List<MetricCurve> stored(JobStatus job) {
    try {
      return new MetricCurves(cliContext.objects(), job.bucket(), job.uid())
          .ofFirst(MOST_CURVES, MOST_EARLIER);
    } catch (MayflyException unread) {
      cut.add("It has no metrics over time: " + unread.getMessage());
      return List.of();
    }
  }

  private List<ExportedJob.Neighbour> jobs(JobStatus job) {
    var listed = apiClient.jobs(job.cluster(), MOST_JOBS);
    if (listed.size() >= MOST_JOBS && listed.stream().noneMatch(it -> it.uid().equals(job.uid())))
      cut.add(
          "Jobs after it are those among the newest %d of the cluster; this one is older."
              .formatted(MOST_JOBS));
    return JobNeighbours.of(job, listed, uid -> apiClient.findJob(job.cluster(), uid));
  }

  private static List<String> leftOut(JobStatus job) {
    var of = job.address() + " -c " + job.cluster();
    return List.of(
        "Logs: mayfly logs " + of,
        "Events before the newest ten: mayfly events job/" + of,
        "Other machines and jobs, and the timeline of the cluster: mayfly ui",
        "The environment and the secrets of the command, and the path of the home folder of whoever"
            + " made the file: left out on purpose");
  }
}
