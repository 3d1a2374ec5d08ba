package dev.mayfly.core.jobs.schedule;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.jobs.JobSubmission;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Schedule;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.model.schedule.ScheduledRun;
import dev.mayfly.core.model.schedule.ScheduledRun.Outcome;
import dev.mayfly.core.plan.schedule.ScheduleTimes;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Submits the jobs of schedules that are due.
 *
 * <p><b>Must:</b> submit one job for each time: it is stored in the commit that says so in its
 * schedule, and its uid is that of the time. So repeats, and several calls at once, change nothing.
 * What the cluster knows of a schedule may be older than the schedule, never newer.
 */
public final class ScheduleRunner {
  /** How long a missing permission may be one that has not spread yet. */
  private static final Duration SPREADING = Duration.ofMinutes(10);

  private final Context context;
  private final JobSubmission jobSubmission;

  public ScheduleRunner(Context context, JobSubmission jobSubmission) {
    this.context = context;
    this.jobSubmission = jobSubmission;
  }

  /** Handles what is due in the cluster. A failure of one schedule does not stop the others. */
  public void run(String uid, FailureLog failureLog) {
    var cluster = context.ledger().read(new DocumentKey.OfCluster(uid));
    if (cluster.isEmpty() || cluster.get().value().phase() != Cluster.Phase.UP) return;
    var now = context.clock().instant();
    cluster.get().value().schedules().entrySet().stream()
        .filter(known -> known.getValue().isBy(now))
        .map(known -> DocumentKey.OfSchedule.of(uid, known.getKey()))
        .sorted((a, b) -> a.path().compareTo(b.path()))
        .forEach(key -> failureLog.guard(key.path(), () -> run(key, now)));
  }

  private void run(DocumentKey.OfSchedule key, Instant now) {
    var stored = context.ledger().read(key);
    if (stored.filter(it -> it.value().isDue(now)).isPresent()) due(stored.get(), now);
    Transactions.retry("schedule " + key.path(), () -> known(key));
  }

  /** The cluster is read first: a command that comes in between changes it, and conflicts. */
  private boolean known(DocumentKey.OfSchedule key) {
    var cluster = context.ledger().read(new DocumentKey.OfCluster(key.cluster()));
    if (cluster.isEmpty()) return true;
    var schedule = context.ledger().read(key).map(VersionedDocument::value);
    var next = cluster.get().value().withSchedule(key.address(), schedule.flatMap(Schedule::due));
    if (next.equals(cluster.get().value())) return true;
    return context
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, cluster.get().version())))
        .done();
  }

  private void due(VersionedDocument<Schedule> stored, Instant now) {
    var schedule = stored.value();
    var due = ScheduleTimes.newest(schedule.rule(), schedule.next().orElseThrow(), now);
    var uid = UserCommand.SubmitJob.uid(schedule.key().path() + " " + due.at());
    var name = ScheduleTimes.jobName(schedule.spec().name(), due.at());
    var time = new Time(stored, schedule.dueAt(due.next()), due.at(), due.missed(), uid, name);
    var running = running(schedule);
    if (running.isPresent() && schedule.rule().ifRunning() == ScheduleRule.IfRunning.SKIP) {
      record(time, Outcome.SKIPPED, stillRuns(running.get()));
      return;
    }
    try {
      submit(time, running, now);
    } catch (InvalidInputException no) {
      record(time, Outcome.REFUSED, no.problems().getFirst().toString());
    } catch (DeniedException no) {
      record(time, Outcome.REFUSED, message(no));
    } catch (MissingPermissionException missing) {
      if (missing.place().isEmpty() || due.at().plus(SPREADING).isAfter(now)) throw missing;
      record(time, Outcome.REFUSED, message(missing));
    }
  }

  private static String message(MayflyException why) {
    return String.valueOf(why.getMessage());
  }

  /**
   * A time of a schedule.
   *
   * @param next the schedule after it
   * @param missed how many times before it came to nothing
   * @param job the uid of its job
   */
  private record Time(
      VersionedDocument<Schedule> stored,
      Schedule next,
      Instant at,
      long missed,
      String job,
      String name) {
    LedgerWrite ran(Outcome outcome, Optional<String> why) {
      var submitted = Optional.of(job).filter(_ -> outcome == Outcome.SUBMITTED);
      var run = new ScheduledRun(at, outcome, submitted, name, why);
      return new LedgerWrite.Update(next.ran(run, missed), stored.version());
    }
  }

  private Optional<Job> running(Schedule schedule) {
    return schedule
        .job()
        .flatMap(uid -> context.ledger().read(new DocumentKey.OfJob(schedule.cluster(), uid)))
        .map(VersionedDocument::value)
        .filter(job -> !job.state().ended());
  }

  private static String stillRuns(Job job) {
    return "job %s has not ended".formatted(job.spec().address());
  }

  /** The schedule and the job are one commit, unless an earlier call has stored the job. */
  private void submit(Time time, Optional<Job> running, Instant now) {
    var schedule = time.next();
    var spec = spec(schedule, time, running);
    var writes = new ArrayList<LedgerWrite>();
    writes.add(time.ran(Outcome.SUBMITTED, Optional.empty()));
    writes.addAll(
        events(
            time,
            "scheduled",
            "job %s is submitted, the one of %s".formatted(spec.address(), time.at())));
    if (jobSubmission.submit(spec, time.job(), now, writes)) return;
    var job = new DocumentKey.OfJob(schedule.cluster(), time.job());
    if (context.ledger().read(job).isPresent())
      context.ledger().commit(List.of(time.ran(Outcome.SUBMITTED, Optional.empty())));
    else
      record(
          time,
          Outcome.REFUSED,
          "a job %s with this content is live already".formatted(spec.address()));
  }

  private static JobSpec spec(Schedule schedule, Time time, Optional<Job> running) {
    var rules = schedule.spec().admission().by(schedule.spec().name());
    var after = new ArrayList<>(rules.after());
    running.ifPresent(job ->
        after.add(
            new Predecessor(job.spec().address(), Optional.of(job.uid()), Predecessor.On.END)));
    var named = schedule.spec().named(time.name()).withAdmission(rules.withAfter(after));
    return TaskTemplate.fillSubmission(named, time.at());
  }

  private List<LedgerWrite> events(Time time, String what, String why) {
    var about = time.next().about();
    var cluster = time.next().cluster();
    var event = new LedgerWrite.Put(context.event(cluster, about, what, why));
    if (time.missed() == 0) return List.of(event);
    var words =
        "%s before %s passed while nobody looked; only the newest counts"
            .formatted(HumanAmounts.count(time.missed(), "time"), time.at());
    return List.of(new LedgerWrite.Put(context.event(cluster, about, "missed", words)), event);
  }

  /** On a conflict another call has handled it, or the schedule has changed; the tick repeats. */
  private void record(Time time, Outcome outcome, String why) {
    var writes = new ArrayList<LedgerWrite>();
    writes.add(time.ran(outcome, Optional.of(why)));
    var what = outcome == Outcome.SKIPPED ? "skipped" : "refused";
    writes.addAll(events(time, what, "the one of %s: %s".formatted(time.at(), why)));
    context.ledger().commit(writes);
  }

  /**
   * Submits a job of the schedule now, besides its times. A repeat changes nothing. Throws {@link
   * InvalidInputException} if it is refused.
   */
  void runNow(Cluster cluster, DocumentKey.OfSchedule key, String uid, Instant publishedAt) {
    if (context.ledger().read(new DocumentKey.OfJob(cluster.uid(), uid)).isPresent()) return;
    var stored = context.ledger().read(key);
    if (stored.isEmpty()) return;
    var schedule = stored.get().value();
    if (publishedAt.isBefore(schedule.lastCommandAt()))
      throw new InvalidInputException(
          "schedule",
          "schedule %s was changed after this was published; publish it again"
              .formatted(schedule.address()));
    var running = running(schedule);
    if (running.isPresent() && schedule.rule().ifRunning() == ScheduleRule.IfRunning.SKIP)
      throw new InvalidInputException(
          "schedule",
          "%s, and schedule %s has one job at a time; stop it (mayfly stop %s), or write ifRunning: queue"
              .formatted(
                  stillRuns(running.get()), schedule.address(), running.get().spec().address()));
    var name = ScheduleTimes.jobName(schedule.spec().name(), publishedAt);
    submit(
        new Time(stored.get(), schedule, publishedAt, 0, uid, name),
        running,
        context.clock().instant());
  }
}
