package dev.mayfly.core.control;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.RebuildableDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Switches the minute ticks off while there is nothing to look after, and on again when a message
 * or a machine brings something.
 *
 * <p><b>Must:</b> never leave work behind without ticks. Whoever brings work stores it first and
 * reads {@code deployment/tick-schedule} afterwards; whoever pauses stores PAUSE and pauses first
 * and looks for work afterwards. So one of the two sees the other. {@link
 * dev.mayfly.core.port.TickScheduler#resume} is called before RUN is stored, so that a crash
 * between the two is repeated by whoever comes next.
 */
final class TickPause {
  /** How long one process relies on having seen that the ticks are wanted. */
  private static final Duration TRUST = Duration.ofMinutes(1);

  /**
   * For so long after a change, ticks look whether the schedule does what was stored: for more than
   * one of the hourly looks, which may get lost.
   */
  private static final Duration SETTLING = Duration.ofHours(6);

  /**
   * How often a process compares the schedule with the stored wish. A restored ledger may hold an
   * old wish.
   */
  private static final Duration COMPARED = Duration.ofHours(1);

  private final Ports ports;
  private Instant seen = Instant.MIN;
  private Instant compared = Instant.MIN;

  TickPause(Ports ports) {
    this.ports = ports;
  }

  /** Work was stored: from now on ticks come. A repeat costs a read. */
  void ensureRunning() {
    var tickSchedule = ticks();
    if (tickSchedule.broken() || wants(tickSchedule, TickSchedule.Want.PAUSE)) resume();
  }

  /** The same for hints, which come often: one process looks once a minute. */
  void ensureRunningThrottled() {
    var now = ports.clock().instant();
    synchronized (this) {
      if (!seen.equals(Instant.MIN) && seen.plus(TRUST).isAfter(now)) return;
      seen = now;
    }
    ensureRunning();
    if (mayDiffer(now) && ports.schedule().paused()) ports.schedule().resume();
  }

  /** True once an hour, and at first. */
  private synchronized boolean mayDiffer(Instant now) {
    if (!compared.equals(Instant.MIN) && compared.plus(COMPARED).isAfter(now)) return false;
    compared = now;
    return true;
  }

  /**
   * At the end of a tick: pauses if there is nothing, resumes if there is something. Does again
   * what a crash left half done.
   */
  void update() {
    var tickSchedule = ticks();
    // Whatever the word was that cannot be read: ticks that come are the safe one of the two.
    if (tickSchedule.broken()) resume();
    else if (idle()) pause(tickSchedule);
    else if (wants(tickSchedule, TickSchedule.Want.PAUSE)) resume();
    else if ((settling(tickSchedule) || mayDiffer(ports.clock().instant()))
        && ports.schedule().paused()) ports.schedule().resume();
  }

  /** What the hourly look is for while ticks are paused: work that nobody resumed them for. */
  void repair() {
    var tickSchedule = ticks();
    if (tickSchedule.broken()
        || wants(tickSchedule, TickSchedule.Want.PAUSE)
        || settling(tickSchedule)) update();
    else if (mayDiffer(ports.clock().instant()) && ports.schedule().paused())
      settleAnew(tickSchedule);
  }

  private void settleAnew(RebuildableDocument<TickSchedule> tickSchedule) {
    if (idle()) pause(tickSchedule);
    else ports.schedule().resume();
  }

  private void pause(RebuildableDocument<TickSchedule> tickSchedule) {
    if (!wants(tickSchedule, TickSchedule.Want.PAUSE)
        && !store(tickSchedule, TickSchedule.Want.PAUSE)) return;
    ports.schedule().pause();
    // What came between the first look and the pause found the old word and did not resume.
    var sure = false;
    try {
      sure = wants(ticks(), TickSchedule.Want.PAUSE) && idle();
    } finally {
      if (!sure) resume();
    }
  }

  private void resume() {
    ports.schedule().resume();
    var tickSchedule = ticks();
    if (tickSchedule.broken() || wants(tickSchedule, TickSchedule.Want.PAUSE))
      store(tickSchedule, TickSchedule.Want.RUN);
    // Somebody may have paused between the two, and have read the old word: whoever pauses after
    // this look reads the new one.
    if (ports.schedule().paused()) ports.schedule().resume();
  }

  /** Whoever comes second finds the other's word, which the next look puts right. */
  private boolean store(RebuildableDocument<TickSchedule> tickSchedule, TickSchedule.Want want) {
    var next = new TickSchedule(want, ports.clock().instant());
    return ports.ledger().commit(List.of(tickSchedule.replaceWith(next)))
        instanceof CommitResult.Done;
  }

  private RebuildableDocument<TickSchedule> ticks() {
    return RebuildableDocument.read(ports.ledger(), new DocumentKey.OfTickSchedule());
  }

  private static boolean wants(
      RebuildableDocument<TickSchedule> tickSchedule, TickSchedule.Want want) {
    return tickSchedule.value().filter(t -> t.want() == want).isPresent();
  }

  private boolean settling(RebuildableDocument<TickSchedule> tickSchedule) {
    return tickSchedule
        .value()
        .filter(t -> t.since().plus(SETTLING).isAfter(ports.clock().instant()))
        .isPresent();
  }

  /**
   * Whether nothing is there that a tick could have to do with: no live job, no worker that is not
   * gone, none that is wanted, and no machine of ours in the cloud, by a list that is complete.
   * What cannot be read may be any of these.
   */
  private boolean idle() {
    var clusters = ports.ledger().query(new LedgerQuery.Clusters(false));
    if (!clusters.unreadable().isEmpty()) return false;
    for (var cluster : clusters.readableOnly()) if (!idle(cluster.value())) return false;
    var inventory = ports.fleet().list();
    if (!inventory.complete()) return false;
    var all = ports.ledger().query(new LedgerQuery.Clusters(true));
    if (!all.unreadable().isEmpty()) return false;
    var ours = all.readableOnly().stream().map(c -> c.value().uid()).collect(Collectors.toSet());
    return inventory.machines().stream()
        .map(m -> m.labels().getOrDefault(CloudMachine.CLUSTER, ""))
        .noneMatch(ours::contains);
  }

  private boolean idle(Cluster cluster) {
    return cluster.phase() == Cluster.Phase.UP
        && cluster.spec().pools().stream().allMatch(p -> p.min() == 0)
        && ports.ledger().query(new LedgerQuery.LiveJobs(cluster.uid())).isEmpty()
        && ports.ledger().query(new LedgerQuery.Workers(cluster.uid(), false, 1)).isEmpty();
  }
}
