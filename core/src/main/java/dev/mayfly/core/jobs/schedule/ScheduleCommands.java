package dev.mayfly.core.jobs.schedule;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.jobs.JobAdmission;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Schedule;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.model.schedule.ScheduledRun;
import dev.mayfly.core.plan.schedule.ScheduleText;
import dev.mayfly.core.plan.schedule.ScheduleTimes;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stores, pauses, resumes, deletes and runs schedules. The newest command about each holds: a
 * message that is repeated, or older than the newest one applied, changes nothing.
 *
 * <p>Each commit changes the schedule and what its cluster knows of it, so that no tick overlooks
 * one.
 */
public final class ScheduleCommands {
  /** The cluster's document has a line for each. */
  private static final int MOST = 200;

  private final Context context;
  private final JobAdmission jobAdmission;
  private final ScheduleRunner scheduleRunner;

  public ScheduleCommands(
      Context context, JobAdmission jobAdmission, ScheduleRunner scheduleRunner) {
    this.context = context;
    this.jobAdmission = jobAdmission;
    this.scheduleRunner = scheduleRunner;
  }

  /**
   * Stores a schedule, or replaces the one of that name and owner. Throws {@link
   * InvalidInputException} for what the user must fix.
   */
  public void store(JobSpec spec, ScheduleRule rule, Instant publishedAt) {
    var cluster = ClusterLookup.named(context.ledger(), spec.cluster());
    ClusterLookup.checkMeant(cluster, publishedAt);
    jobAdmission.check(spec, cluster.spec());
    var key = new DocumentKey.OfSchedule(cluster.uid(), spec.owner(), spec.name());
    Transactions.retry("schedule " + spec.address(), () -> stored(key, spec, rule, publishedAt));
  }

  private boolean stored(
      DocumentKey.OfSchedule key, JobSpec spec, ScheduleRule rule, Instant publishedAt) {
    var cluster = cluster(key.cluster());
    var before = context.ledger().read(key);
    var newest = before.map(b -> b.value().lastCommandAt());
    if (CommandOrder.of(newest, publishedAt) != CommandOrder.NEW) return true;
    var known = before.map(VersionedDocument::value).flatMap(Schedule::due).isPresent();
    if (!known && cluster.value().schedules().size() >= MOST)
      throw new InvalidInputException(
          "schedule",
          "cluster %s has %d schedules, and takes no more; delete one (mayfly schedule delete NAME)"
              .formatted(cluster.value().spec().name(), MOST));
    var next =
        active(
            before
                .map(b -> b.value().replaced(spec, rule, publishedAt))
                .orElseGet(() -> new Schedule(key.cluster(), spec, rule, publishedAt)),
            publishedAt);
    var why =
        "%s, %s"
            .formatted(
                ScheduleText.of(rule),
                next.next()
                    .map(at -> "next at " + at)
                    .orElse(
                        "still paused; mayfly schedule resume %s ends that"
                            .formatted(address(next))));
    return commit(cluster, before, next, known ? "replaced" : "stored", why, List.of());
  }

  private static String address(Schedule schedule) {
    return schedule.address();
  }

  /** With its next time, unless it is paused. */
  private static Schedule active(Schedule schedule, Instant now) {
    if (schedule.state() != Schedule.State.ACTIVE) return schedule;
    var ran = schedule.last().map(ScheduledRun::due).filter(now::isBefore).orElse(now);
    return schedule.dueAt(ScheduleTimes.after(schedule.rule(), ran));
  }

  /**
   * Pauses, resumes, deletes or runs a schedule. Throws {@link
   * dev.mayfly.core.error.UnknownNameException} with the known ones if there is none of that name.
   *
   * @param uid of the job, if one is to run
   */
  public void change(UserCommand.ChangeSchedule command, Instant publishedAt, String uid) {
    var cluster = ClusterLookup.named(context.ledger(), command.cluster());
    var key =
        DocumentKey.OfSchedule.of(
            cluster.uid(), ScheduleNames.address(cluster, command.schedule()));
    if (command.action() == UserCommand.ChangeSchedule.Action.RUN)
      scheduleRunner.runNow(cluster, key, uid, publishedAt);
    else
      Transactions.retry(
          "schedule " + command.schedule(), () -> changed(key, command, publishedAt));
  }

  private boolean changed(
      DocumentKey.OfSchedule key, UserCommand.ChangeSchedule command, Instant publishedAt) {
    var before = context.ledger().read(key);
    if (before.isEmpty()) return true;
    var was = before.get().value();
    if (CommandOrder.of(Optional.of(was.lastCommandAt()), publishedAt) != CommandOrder.NEW)
      return true;
    return switch (command.action()) {
      case PAUSE ->
          changed(before, Schedule.State.PAUSED, "paused", "by hand", publishedAt, List.of());
      case DELETE ->
          changed(
              before,
              Schedule.State.DELETED,
              "deleted",
              "by hand; its jobs go on",
              publishedAt,
              List.of());
      case RESUME ->
          changed(
              before,
              Schedule.State.ACTIVE,
              "resumed",
              "by hand",
              publishedAt,
              passed(was, publishedAt));
      case RUN -> true;
    };
  }

  /** What a person who pauses a schedule does not want, but should know of. */
  private List<LedgerWrite> passed(Schedule was, Instant now) {
    if (was.state() != Schedule.State.PAUSED) return List.of();
    var first = ScheduleTimes.after(was.rule(), was.lastCommandAt());
    if (first.isAfter(now)) return List.of();
    var passed = ScheduleTimes.newest(was.rule(), first, now).missed() + 1;
    var why =
        "%s passed while it was paused, and %s not made up; mayfly schedule run %s runs it now"
            .formatted(
                HumanAmounts.count(passed, "time"), passed == 1 ? "is" : "are", was.address());
    return List.of(new LedgerWrite.Put(context.event(was.cluster(), was.about(), "missed", why)));
  }

  private boolean changed(
      Optional<VersionedDocument<Schedule>> before,
      Schedule.State state,
      String what,
      String why,
      Instant publishedAt,
      List<LedgerWrite> more) {
    var was = before.orElseThrow().value();
    var next = active(was.changed(state, publishedAt), publishedAt);
    // A repeat is only recorded, so that older commands change nothing.
    if (was.state() == state && state == Schedule.State.ACTIVE)
      next = was.next().map(next::dueAt).orElse(next);
    return commit(cluster(was.cluster()), before, next, what, why + until(next), more);
  }

  private static String until(Schedule schedule) {
    return schedule.next().map(at -> "; next at " + at).orElse("");
  }

  private VersionedDocument<Cluster> cluster(String uid) {
    return context.ledger().read(new DocumentKey.OfCluster(uid)).orElseThrow();
  }

  private boolean commit(
      VersionedDocument<Cluster> cluster,
      Optional<VersionedDocument<Schedule>> before,
      Schedule next,
      String what,
      String why,
      List<LedgerWrite> more) {
    var known = cluster.value().withSchedule(next.address(), next.due());
    var ledgerWrites = new ArrayList<>(more);
    ledgerWrites.add(
        before.isPresent()
            ? new LedgerWrite.Update(next, before.get().version())
            : new LedgerWrite.Create(next));
    ledgerWrites.add(new LedgerWrite.Update(known, cluster.version()));
    ledgerWrites.add(new LedgerWrite.Put(context.event(next.cluster(), next.about(), what, why)));
    return context.ledger().commit(ledgerWrites).done();
  }
}
