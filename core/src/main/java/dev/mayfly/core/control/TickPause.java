package dev.mayfly.core.control;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.plan.model.UnusedCluster;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Pauses the minute ticks while there is nothing to handle, and resumes them when a message or a
 * machine brings work.
 *
 * <p><b>Must:</b> never leave work without ticks. A process that brings work first stores it and
 * then reads {@code deployment/tick-schedule}; a process that pauses first stores PAUSE and pauses,
 * and then checks for work. So one of the two sees the other. {@link
 * dev.mayfly.core.port.TickScheduler#resume} is called before RUN is stored, so that after a crash
 * in between the next process repeats it.
 */
final class TickPause {
  /** How long a process relies on having seen that ticks are wanted. */
  private static final Duration TRUST = Duration.ofMinutes(1);

  /**
   * How long after a change ticks compare the schedule with what is stored: long enough for several
   * hourly cleanups, some of which may be lost.
   */
  private static final Duration SETTLING = Duration.ofHours(6);

  /**
   * How often a process compares the schedule with the stored state, which may be old after a
   * restore of the ledger.
   */
  private static final Duration COMPARED = Duration.ofHours(1);

  /**
   * How long before a schedule is due ticks run: the hourly cleanup resumes them, and two of these
   * in a row may be lost.
   */
  private static final Duration SOON = Duration.ofHours(3);

  private final Context context;
  private final NotificationPublisher notificationPublisher;
  private Instant checkedAt = Instant.MIN;
  private Instant comparedAt = Instant.MIN;

  TickPause(Context context, NotificationPublisher notificationPublisher) {
    this.context = context;
    this.notificationPublisher = notificationPublisher;
  }

  /** Ensures that ticks run, after work was stored. A repeat costs a read. */
  void ensureRunning() {
    var tickSchedule = ticks();
    if (tickSchedule.broken() || wants(tickSchedule, TickSchedule.Want.PAUSE)) resume();
  }

  /** The same for triggers, which are frequent: a process checks once a minute. */
  void ensureRunningThrottled() {
    var now = context.clock().instant();
    synchronized (this) {
      if (!checkedAt.equals(Instant.MIN) && checkedAt.plus(TRUST).isAfter(now)) return;
      checkedAt = now;
    }
    ensureRunning();
    if (mayDiffer(now) && context.schedule().paused()) context.schedule().resume();
  }

  /** True at first and once an hour. */
  private synchronized boolean mayDiffer(Instant now) {
    if (!comparedAt.equals(Instant.MIN) && comparedAt.plus(COMPARED).isAfter(now)) return false;
    comparedAt = now;
    return true;
  }

  /**
   * At the end of a tick: pauses if there is no work, otherwise resumes. Repeats what a crash left
   * half done.
   */
  void update() {
    var tickSchedule = ticks();
    // Whatever the unreadable state was: running ticks are safe.
    if (tickSchedule.broken()) resume();
    else if (!notificationPublisher.leftPending() && hasNoWork()) pause(tickSchedule);
    else if (wants(tickSchedule, TickSchedule.Want.PAUSE)) resume();
    else if ((settling(tickSchedule) || mayDiffer(context.clock().instant()))
        && context.schedule().paused()) context.schedule().resume();
  }

  /** For the hourly cleanup while ticks are paused: resumes them if there is work. */
  void repair() {
    var tickSchedule = ticks();
    if (wants(tickSchedule, TickSchedule.Want.PAUSE) && context.schedule().paused()) {
      // Who brings work now reads PAUSE and resumes; one look is enough, unlike for one that
      // pauses.
      if (!idle()) resume();
    } else if (tickSchedule.broken()
        || wants(tickSchedule, TickSchedule.Want.PAUSE)
        || settling(tickSchedule)) update();
    else if (mayDiffer(context.clock().instant()) && context.schedule().paused())
      restore(tickSchedule);
  }

  private void restore(RebuildableDocument<TickSchedule> tickSchedule) {
    if (idle()) pause(tickSchedule);
    else context.schedule().resume();
  }

  private void pause(RebuildableDocument<TickSchedule> tickSchedule) {
    // Also over a PAUSE: a commit of RUN whose outcome nobody knows may still be on its way, and
    // must
    // find another version than the one that it was to replace, or RUN would stand over a pause.
    if (!store(tickSchedule, TickSchedule.Want.PAUSE)) return;
    context.schedule().pause();
    // Work that arrived between the check and the pause saw the old state and did not resume.
    var stillIdle = false;
    try {
      stillIdle = wants(ticks(), TickSchedule.Want.PAUSE) && idle();
    } finally {
      if (!stillIdle) resume();
    }
  }

  private void resume() {
    context.schedule().resume();
    var tickSchedule = ticks();
    if (tickSchedule.broken() || wants(tickSchedule, TickSchedule.Want.PAUSE))
      store(tickSchedule, TickSchedule.Want.RUN);
    // Another process may have paused in between after reading the old state; one that pauses after
    // this check reads the new one.
    if (context.schedule().paused()) context.schedule().resume();
  }

  /** On a conflict the other process's state stays; the next check corrects it. */
  private boolean store(RebuildableDocument<TickSchedule> tickSchedule, TickSchedule.Want want) {
    var next = new TickSchedule(want, context.clock().instant());
    return context.ledger().commit(List.of(tickSchedule.replaceWith(next)))
        instanceof CommitResult.Done;
  }

  private RebuildableDocument<TickSchedule> ticks() {
    return RebuildableDocument.read(context.ledger(), new DocumentKey.OfTickSchedule());
  }

  private static boolean wants(
      RebuildableDocument<TickSchedule> tickSchedule, TickSchedule.Want want) {
    return tickSchedule.value().filter(t -> t.want() == want).isPresent();
  }

  private boolean settling(RebuildableDocument<TickSchedule> tickSchedule) {
    return tickSchedule
        .value()
        .filter(t -> t.since().plus(SETTLING).isAfter(context.clock().instant()))
        .isPresent();
  }

  /** Whether a tick would have nothing to handle. */
  private boolean idle() {
    // In this order: a job's end takes it from the live jobs and owes its notification in one
    // batch.
    return hasNoWork() && !notificationPublisher.isPending();
  }

  /**
   * No live job, no schedule that is due soon, no worker that is not gone, no minimum of workers,
   * and no machine of these clusters in a complete list of the cloud. An unreadable document may be
   * any of these.
   */
  private boolean hasNoWork() {
    var clusters = context.ledger().query(new LedgerQuery.Clusters(false));
    if (!clusters.unreadable().isEmpty()) return false;
    for (var cluster : clusters.readableOnly()) if (!idle(cluster.value())) return false;
    var inventory = context.fleet().list();
    if (!inventory.complete()) return false;
    var all = context.ledger().query(new LedgerQuery.Clusters(true));
    if (!all.unreadable().isEmpty()) return false;
    var known = all.readableOnly().stream().map(c -> c.value().uid()).collect(Collectors.toSet());
    return inventory.machines().stream()
        .map(m -> m.labels().getOrDefault(CloudMachine.CLUSTER, ""))
        .noneMatch(known::contains);
  }

  private boolean idle(Cluster cluster) {
    var now = context.clock().instant();
    return cluster.phase() == Cluster.Phase.UP
        && !cluster.hasDue(now.plus(SOON))
        && UnusedCluster.effective(cluster, now).spec().pools().stream().allMatch(p -> p.min() == 0)
        && context.ledger().query(new LedgerQuery.LiveJobs(cluster.uid())).isEmpty()
        && context.ledger().query(new LedgerQuery.Workers(cluster.uid(), false, 1)).isEmpty();
  }
}
