package dev.mayfly.cli.report;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.logs.JobLogs;
import dev.mayfly.cli.logs.LogSelection;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Reads what a report has of one job, within bounds that the report tells. */
final class ReportedJob {
  private static final List<String> UNSUCCESSFUL =
      List.of("failed", "inconsistent", "stopped", "running", "waiting");

  private static final int TASKS_OF_STATE = 200;
  private static final int HISTORIES = 50;
  private static final int LOGS = 20;
  private static final int LAST_LINES = 200;
  private static final int EVENTS = 1_000;

  private final CliContext cliContext;
  private final ApiClient apiClient;
  private final ReportFiles files;
  private final ReportSecrets secrets;
  private final boolean withEnvironment;

  ReportedJob(
      CliContext cliContext, ReportFiles files, ReportSecrets secrets, boolean withEnvironment) {
    this.cliContext = cliContext;
    this.apiClient = cliContext.api();
    this.files = files;
    this.secrets = secrets;
    this.withEnvironment = withEnvironment;
  }

  void read(String in, String named) {
    var cluster = files.part("the cluster", () -> apiClient.cluster(in));
    var job = files.part("the job", () -> apiClient.job(in, named));
    if (!withEnvironment) {
      cluster.ifPresent(it -> secrets.addEnvironment(it.spec().env()));
      job.ifPresent(it -> secrets.addEnvironment(it.spec().run().env()));
    }
    cluster.ifPresent(it -> files.json("cluster.json", it));
    files
        .part("workers", () -> apiClient.workers(in, true))
        .ifPresent(all -> files.json("workers.json", all));
    job.ifPresent(this::read);
  }

  private void read(JobStatus job) {
    files.json("job.json", job);
    var in = job.cluster();
    var uid = job.uid();
    files
        .part("why it is as it is", () -> apiClient.explain(in, uid))
        .ifPresent(why -> files.json("explain.json", why));
    files
        .part("the estimate", () -> apiClient.estimate(in, uid))
        .ifPresent(it -> it.ifPresent(estimate -> files.json("estimate.json", estimate)));
    var tasks = tasks(job);
    files.json("tasks.json", tasks);
    var histories = histories(job, tasks);
    files.json("attempts.json", histories);
    var events = events(job);
    files.json("events.json", events);
    files.text("timeline.txt", timeline(job, tasks, histories, events));
    logs(job, histories);
  }

  /** Those without success, some of each state. */
  private List<TaskStatus> tasks(JobStatus job) {
    var all = new ArrayList<TaskStatus>();
    for (var state : UNSUCCESSFUL)
      files
          .part(
              state + " tasks",
              () ->
                  apiClient.tasks(job.cluster(), job.uid(), Optional.of(state), 0, TASKS_OF_STATE))
          .ifPresent(page -> {
            all.addAll(page.tasks());
            page.next()
                .ifPresent(next ->
                    files.cut(
                        "tasks.json: the first %d %s tasks; others: mayfly tasks %s --state %s --from %d"
                            .formatted(page.tasks().size(), state, job.address(), state, next)));
          });
    return all;
  }

  private static boolean hasFailed(TaskStatus task) {
    return task.failure().isPresent();
  }

  private List<TaskStatus> histories(JobStatus job, List<TaskStatus> tasks) {
    var failed = tasks.stream().filter(ReportedJob::hasFailed).toList();
    if (failed.size() > HISTORIES)
      files.cut(
          "attempts.json: of the first %d of %d tasks with failed attempts; others: mayfly tasks %s/INDEX"
              .formatted(HISTORIES, failed.size(), job.address()));
    return failed.stream()
        .limit(HISTORIES)
        .flatMap(task ->
            files
                .part(
                    "attempts of task " + task.index(),
                    () -> apiClient.task(job.cluster(), job.uid(), task.index()))
                .stream())
        .toList();
  }

  private List<EventRecord> events(JobStatus job) {
    var about = Optional.of("job/" + job.address());
    var events =
        files
            .part("events", () -> apiClient.events(job.cluster(), about, EVENTS))
            .orElse(List.of());
    if (events.size() == EVENTS) files.cut("events.json: the newest %,d".formatted(EVENTS));
    return events;
  }

  private record Moment(Instant at, String text) {}

  /** What is known with its time, oldest first. */
  private static String timeline(
      JobStatus job, List<TaskStatus> tasks, List<TaskStatus> histories, List<EventRecord> events) {
    var moments = new ArrayList<Moment>();
    moments.add(new Moment(job.submittedAt(), "the job was submitted"));
    moments.add(new Moment(job.acceptedAt(), "it was accepted"));
    job.endedAt().ifPresent(at -> moments.add(new Moment(at, "it ended: " + job.state())));
    for (var event : events)
      moments.add(new Moment(event.at(), event.about() + " " + event.what() + ": " + event.why()));
    for (var task : tasks)
      task.startedAt()
          .ifPresent(at ->
              moments.add(
                  new Moment(
                      at,
                      "task %d began on %s"
                          .formatted(task.index(), String.join(", ", task.workers())))));
    for (var task : histories)
      for (var failure : task.failures().orElse(List.of()))
        moments.add(
            new Moment(
                failure.at(),
                "task %d, attempt %s on %s: %s, exit code %d: %s"
                    .formatted(
                        task.index(),
                        failure.attempt(),
                        failure.place(),
                        failure.cause(),
                        failure.exitCode(),
                        failure.summary())));
    return moments.stream()
        .sorted(Comparator.comparing(Moment::at))
        .map(moment -> moment.at() + "  " + moment.text() + "\n")
        .collect(Collectors.joining());
  }

  /** The last lines of each attempt of some tasks that failed, with the rights of this person. */
  private void logs(JobStatus job, List<TaskStatus> failed) {
    if (failed.size() > LOGS)
      files.cut(
          "logs: of the first %d of %d tasks with failed attempts; others: mayfly logs %s INDEX"
              .formatted(LOGS, failed.size(), job.address()));
    for (var task : failed.stream().limit(LOGS).toList()) {
      var read = files.part("the log of task " + task.index(), () -> log(job, task.index()));
      if (read.isEmpty()) return;
      read.get().forEach((name, text) -> files.text("logs/" + name + ".log", text));
    }
    if (!failed.isEmpty())
      files.cut("logs: the last %d lines of each attempt".formatted(LAST_LINES));
  }

  private Map<String, String> log(JobStatus job, long index) {
    var lines = new LinkedHashMap<String, StringBuilder>();
    var selection =
        new LogSelection(
            OptionalLong.of(index),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.of(LAST_LINES),
            Optional.empty(),
            false);
    new JobLogs(cliContext.objects(), job.bucket(), job.uid(), job.spec().gang() > 1, selection)
        .readLast(line ->
            lines
                .computeIfAbsent(
                    "task-%d-%s%s"
                        .formatted(
                            index, line.attempt(), line.rank().map(r -> "-rank" + r).orElse("")),
                    _ -> new StringBuilder())
                .append(line.text())
                .append('\n'));
    var texts = new LinkedHashMap<String, String>();
    lines.forEach((name, text) -> texts.put(name, text.toString()));
    return texts;
  }
}
