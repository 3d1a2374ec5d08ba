package dev.mayfly.cli.simulate;

import dev.mayfly.cli.client.JobUse;
import dev.mayfly.cli.page.ExportedSimulation;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.sim.experiment.ExperimentRun;
import dev.mayfly.sim.world.World;
import dev.mayfly.wire.text.KebabCase;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what the file of a simulation has, within bounds that the file tells. */
final class SimulationExport {
  /** Of all jobs together. */
  static final int MOST_TASKS = 20_000;

  /** Of so many tasks all failed attempts are read. */
  static final int MOST_HISTORIES = 200;

  /** As many as the page reads of a timeline. */
  static final int MOST_EVENTS = 4_000;

  /** Of a run's time. */
  static final LocalDate FIRST_DAY = day(World.START);

  private static final int MOST_JOBS = 500;
  private static final int PAGE = 500;

  private static final List<String> LEFT_OUT =
      List.of(
          "Logs, metrics, and what tasks use of a machine: a simulated task runs no command, and"
              + " takes as long as its scenario says",
          "Setups, images, mounts, inputs and outputs");

  private final String cluster;
  private final StatusQueries queries;
  private final List<String> cut = new ArrayList<>();

  private SimulationExport(String cluster, StatusQueries queries) {
    this.cluster = cluster;
    this.queries = queries;
  }

  /** What a run's control plane answers at its end; what is said of it is added later. */
  static Function<ExportedSimulation.Simulated, ExportedSimulation> read(
      String cluster, ExperimentRun.End end, List<String> notes) {
    var export = new SimulationExport(cluster, end.queries());
    var jobs = export.jobs();
    var workers = export.queries.workers(cluster, true);
    var tasks = export.tasks(jobs);
    var attempts = export.attempts(tasks);
    var events = export.events();
    var costs = export.costs(jobs);
    var open = jobs.stream().filter(it -> it.endedAt().isEmpty()).toList();
    return simulated ->
        new ExportedSimulation(
            end.now(),
            cluster,
            List.copyOf(export.cut),
            Stream.concat(LEFT_OUT.stream(), notes.stream()).toList(),
            simulated,
            List.of(export.queries.cluster(cluster)),
            workers,
            jobs,
            byUid(jobs, it -> export.queries.explain(cluster, it.uid())),
            byUid(open, it -> export.queries.estimate(cluster, it.uid())),
            byUid(jobs, JobUse::unmeasured),
            tasks,
            attempts,
            events,
            costs);
  }

  private static <T> Map<String, T> byUid(List<JobStatus> jobs, Function<JobStatus, T> value) {
    return jobs.stream().collect(Collectors.toMap(JobStatus::uid, value, (one, _) -> one));
  }

  private List<JobStatus> jobs() {
    var all = queries.jobs(cluster, MOST_JOBS + 1);
    if (all.size() > MOST_JOBS) cut.add("It has the newest %d jobs".formatted(MOST_JOBS));
    return all.stream().limit(MOST_JOBS).toList();
  }

  /** All of small jobs, and of large ones as many as of each other. */
  private Map<String, List<TaskStatus>> tasks(List<JobStatus> jobs) {
    var read = new LinkedHashMap<String, List<TaskStatus>>();
    long room = MOST_TASKS;
    var left = jobs.size();
    for (var job : jobs.stream().sorted(Comparator.comparingLong(JobStatus::tasks)).toList()) {
      var tasks = tasks(job, (int) (room / left));
      room -= tasks.size();
      left--;
      read.put(job.uid(), tasks);
      if (tasks.size() < job.tasks())
        cut.add(
            "Of job %s it has the first %,d of %s"
                .formatted(job.address(), tasks.size(), HumanAmounts.count(job.tasks(), "task")));
    }
    return read;
  }

  private List<TaskStatus> tasks(JobStatus job, int most) {
    var read = new ArrayList<TaskStatus>();
    Optional<Long> next = Optional.of(0L);
    while (next.isPresent() && read.size() < most) {
      var request =
          new TaskRequest(Optional.empty(), next.get(), Math.min(PAGE, most - read.size()));
      var page = queries.tasks(cluster, job.uid(), request);
      read.addAll(page.tasks());
      next = page.next();
    }
    return read;
  }

  /** Failed tasks first. */
  private Map<String, List<TaskStatus>> attempts(Map<String, List<TaskStatus>> tasks) {
    var read = new LinkedHashMap<String, List<TaskStatus>>();
    var room = MOST_HISTORIES;
    long lacking = 0;
    for (var job : tasks.entrySet()) {
      var several =
          job.getValue().stream()
              .filter(SimulationExport::hasMore)
              .sorted(Comparator.comparing(it -> it.state() != TaskStatus.State.FAILED))
              .toList();
      var whole =
          several.stream()
              .limit(room)
              .map(it -> queries.task(cluster, job.getKey(), it.index()))
              .toList();
      room -= whole.size();
      lacking += several.size() - whole.size();
      read.put(job.getKey(), whole);
    }
    if (lacking > 0)
      cut.add(
          "Of %s with several attempts it has the last failed one at most"
              .formatted(HumanAmounts.count(lacking, "task")));
    return read;
  }

  /** A list of tasks has the last failed attempt of those that are not done. */
  private static boolean hasMore(TaskStatus task) {
    var without =
        task.attempts().map(SimulationExport::withoutResult).orElse(0L)
            - (task.failure().isPresent() ? 1 : 0);
    return without > 0;
  }

  private static long withoutResult(TaskAttempts attempts) {
    return attempts.failures() + attempts.infrastructure() + attempts.interruptions();
  }

  private List<EventRecord> events() {
    var all = queries.events(cluster, Optional.empty(), MOST_EVENTS + 1);
    if (all.size() > MOST_EVENTS) cut.add("It has the newest %,d events".formatted(MOST_EVENTS));
    return all.stream().limit(MOST_EVENTS).toList();
  }

  /**
   * What the page asks for: groupings since the beginning, jobs since the days of their submission.
   */
  private Map<String, ClusterCost> costs(List<JobStatus> jobs) {
    var costs = new LinkedHashMap<String, ClusterCost>();
    for (var by : CostBy.values()) costs.put(key(by, FIRST_DAY), cost(by, FIRST_DAY));
    for (var day : jobs.stream().map(it -> day(it.submittedAt())).distinct().toList())
      costs.computeIfAbsent(key(CostBy.JOB, day), _ -> cost(CostBy.JOB, day));
    for (var job : jobs)
      costs.put(
          key(CostBy.DAY, job.uid()),
          queries.cost(cluster, CostBy.DAY, Optional.empty(), Optional.of(job.uid())));
    return costs;
  }

  private static LocalDate day(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }

  private ClusterCost cost(CostBy by, LocalDate since) {
    return queries.cost(cluster, by, Optional.of(since), Optional.empty());
  }

  private static String key(CostBy by, Object of) {
    return KebabCase.of(by) + " " + of;
  }
}
