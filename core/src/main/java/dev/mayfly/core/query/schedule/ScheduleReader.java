package dev.mayfly.core.query.schedule;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Schedule;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.schedule.ScheduledRun;
import dev.mayfly.core.plan.schedule.ScheduleText;
import dev.mayfly.core.port.Ledger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Reads the schedules of a cluster with the jobs that they submitted last. */
public final class ScheduleReader {
  private final Ledger ledger;

  public ScheduleReader(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * By name; none once the cluster goes. A cluster without schedules costs no read.
   *
   * @param problems is told of each document that cannot be read
   */
  public List<ScheduleStatus> of(Cluster cluster, Consumer<String> problems) {
    // They end with their cluster: none of theirs comes any more.
    if (cluster.phase() != Cluster.Phase.UP || cluster.schedules().isEmpty()) return List.of();
    var keys =
        cluster.schedules().keySet().stream()
            .sorted()
            .map(address -> DocumentKey.OfSchedule.of(cluster.uid(), address))
            .toList();
    var schedules =
        ledger.readAll(keys).readable(unknown -> problems.accept(unknown.toString())).stream()
            .map(VersionedDocument::value)
            .filter(schedule -> schedule.state() != Schedule.State.DELETED)
            .toList();
    var jobs = jobs(schedules);
    return schedules.stream().map(schedule -> status(schedule, jobs)).toList();
  }

  /** An unreadable job is told by the cluster's list of jobs. */
  private Map<String, Job> jobs(List<Schedule> schedules) {
    var keys =
        schedules.stream()
            .flatMap(schedule ->
                schedule.last().flatMap(ScheduledRun::job).stream()
                    .map(uid -> new DocumentKey.OfJob(schedule.cluster(), uid)))
            .toList();
    return ledger.readAll(keys).readableOnly().stream()
        .map(VersionedDocument::value)
        .collect(Collectors.toMap(Job::uid, job -> job, (one, _) -> one));
  }

  private static ScheduleStatus status(Schedule schedule, Map<String, Job> jobs) {
    return new ScheduleStatus(
        schedule.spec().name(),
        schedule.spec().owner(),
        ScheduleText.of(schedule.rule()),
        schedule.rule(),
        word(schedule.state()),
        schedule.next(),
        schedule.last().map(run -> last(run, jobs)),
        schedule.missed());
  }

  private static ScheduleStatus.Last last(ScheduledRun run, Map<String, Job> jobs) {
    return new ScheduleStatus.Last(
        run.due(),
        word(run.outcome()),
        run.name(),
        run.job(),
        run.job().map(jobs::get).map(job -> state(job.state())),
        run.why());
  }

  private static String state(JobState state) {
    return state instanceof JobState.Ended ended
        ? word(ended.result())
        : state.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
