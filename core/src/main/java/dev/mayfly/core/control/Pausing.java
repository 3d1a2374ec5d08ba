package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Switches the minute ticks off while there is nothing to look after, and on again when a message
 * or a machine brings something.
 *
 * <p><b>Must:</b> never leave work behind without ticks. Whoever brings work stores it first and
 * reads {@code deployment/ticks} afterwards; whoever pauses stores PAUSE and pauses first and looks
 * for work afterwards. So one of the two sees the other. {@link
 * dev.mayfly.core.port.Schedule#resume} is called before RUN is stored, so that a crash between the
 * two is repeated by whoever comes next.
 */
final class Pausing {
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

  Pausing(Ports ports) {
    this.ports = ports;
  }

  /** Work was stored: from now on ticks come. A repeat costs a read. */
  void awaken() {
    var ticks = ticks();
    if (ticks.broken() || wants(ticks, Ticks.Want.PAUSE)) resume();
  }

  /** The same for hints, which come often: one process looks once a minute. */
  void awakenNow() {
    var now = ports.clock().instant();
    synchronized (this) {
      if (!seen.equals(Instant.MIN) && seen.plus(TRUST).isAfter(now)) return;
      seen = now;
    }
    awaken();
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
  void settle() {
    var ticks = ticks();
    // Whatever the word was that cannot be read: ticks that come are the safe one of the two.
    if (ticks.broken()) resume();
    else if (idle()) pause(ticks);
    else if (wants(ticks, Ticks.Want.PAUSE)) resume();
    else if ((settling(ticks) || mayDiffer(ports.clock().instant())) && ports.schedule().paused())
      ports.schedule().resume();
  }

  /** What the hourly look is for while ticks are paused: work that nobody resumed them for. */
  void mend() {
    var ticks = ticks();
    if (ticks.broken() || wants(ticks, Ticks.Want.PAUSE) || settling(ticks)) settle();
    else if (mayDiffer(ports.clock().instant()) && ports.schedule().paused()) settleAnew(ticks);
  }

  private void settleAnew(Renewable<Ticks> ticks) {
    if (idle()) pause(ticks);
    else ports.schedule().resume();
  }

  private void pause(Renewable<Ticks> ticks) {
    if (!wants(ticks, Ticks.Want.PAUSE) && !store(ticks, Ticks.Want.PAUSE)) return;
    ports.schedule().pause();
    // What came between the first look and the pause found the old word and did not resume.
    var sure = false;
    try {
      sure = wants(ticks(), Ticks.Want.PAUSE) && idle();
    } finally {
      if (!sure) resume();
    }
  }

  private void resume() {
    ports.schedule().resume();
    var ticks = ticks();
    if (ticks.broken() || wants(ticks, Ticks.Want.PAUSE)) store(ticks, Ticks.Want.RUN);
    // Somebody may have paused between the two, and have read the old word: whoever pauses after
    // this look reads the new one.
    if (ports.schedule().paused()) ports.schedule().resume();
  }

  /** Whoever comes second finds the other's word, which the next look puts right. */
  private boolean store(Renewable<Ticks> ticks, Ticks.Want want) {
    var next = new Ticks(want, ports.clock().instant());
    return ports.ledger().commit(List.of(ticks.next(next))) instanceof Committed.Done;
  }

  private Renewable<Ticks> ticks() {
    return Renewable.read(ports.ledger(), new Key.OfTicks());
  }

  private static boolean wants(Renewable<Ticks> ticks, Ticks.Want want) {
    return ticks.value().filter(t -> t.want() == want).isPresent();
  }

  private boolean settling(Renewable<Ticks> ticks) {
    return ticks
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
    var clusters = ports.ledger().query(new Query.Clusters(false));
    if (!clusters.unreadable().isEmpty()) return false;
    for (var cluster : clusters.some()) if (!idle(cluster.value())) return false;
    var inventory = ports.fleet().list();
    if (!inventory.complete()) return false;
    var all = ports.ledger().query(new Query.Clusters(true));
    if (!all.unreadable().isEmpty()) return false;
    var ours = all.some().stream().map(c -> c.value().uid()).collect(Collectors.toSet());
    return inventory.machines().stream()
        .map(m -> m.labels().getOrDefault(Machine.CLUSTER, ""))
        .noneMatch(ours::contains);
  }

  private boolean idle(Cluster cluster) {
    return cluster.phase() == Cluster.Phase.UP
        && cluster.spec().pools().stream().allMatch(p -> p.min() == 0)
        && ports.ledger().query(new Query.LiveJobs(cluster.uid())).isEmpty()
        && ports.ledger().query(new Query.Workers(cluster.uid(), false, 1)).isEmpty();
  }
}
