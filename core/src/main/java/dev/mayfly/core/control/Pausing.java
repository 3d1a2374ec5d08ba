package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Switches the minute ticks off while there is nothing to look after, and on again when a message
 * or a machine brings something (PROTOCOL 8).
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

  private final Ports ports;
  private Instant seen = Instant.MIN;

  Pausing(Ports ports) {
    this.ports = ports;
  }

  /** Work was stored: from now on ticks come. A repeat costs a read. */
  void awaken() {
    var stored = ports.ledger().read(new Key.OfTicks());
    if (wants(stored, Ticks.Want.PAUSE)) resume();
  }

  /** The same for hints, which come often: one process looks once a minute. */
  void awakenNow() {
    var now = ports.clock().instant();
    synchronized (this) {
      if (!seen.equals(Instant.MIN) && seen.plus(TRUST).isAfter(now)) return;
      seen = now;
    }
    awaken();
  }

  /**
   * At the end of a tick: pauses if there is nothing, resumes if there is something. Does again
   * what a crash left half done.
   */
  void settle() {
    var stored = ports.ledger().read(new Key.OfTicks());
    if (idle()) pause(stored);
    else if (wants(stored, Ticks.Want.PAUSE)) resume();
    else if (settling(stored) && ports.schedule().paused()) ports.schedule().resume();
  }

  /** What the hourly look is for while ticks are paused: work that nobody resumed them for. */
  void mend() {
    var stored = ports.ledger().read(new Key.OfTicks());
    if (wants(stored, Ticks.Want.PAUSE) || settling(stored)) settle();
  }

  private void pause(Optional<Stored<Ticks>> stored) {
    if (!wants(stored, Ticks.Want.PAUSE) && !store(stored, Ticks.Want.PAUSE)) return;
    ports.schedule().pause();
    // What came between the first look and the pause found the old word and did not resume.
    var sure = false;
    try {
      sure = wants(ports.ledger().read(new Key.OfTicks()), Ticks.Want.PAUSE) && idle();
    } finally {
      if (!sure) resume();
    }
  }

  private void resume() {
    ports.schedule().resume();
    var stored = ports.ledger().read(new Key.OfTicks());
    if (wants(stored, Ticks.Want.PAUSE)) store(stored, Ticks.Want.RUN);
    // Somebody may have paused between the two, and have read the old word: whoever pauses after
    // this look reads the new one.
    if (ports.schedule().paused()) ports.schedule().resume();
  }

  /** Whoever comes second finds the other's word, which the next look puts right. */
  private boolean store(Optional<Stored<Ticks>> stored, Ticks.Want want) {
    var next = new Ticks(want, ports.clock().instant());
    Write write =
        stored
            .<Write>map(s -> new Write.Update(next, s.version()))
            .orElseGet(() -> new Write.Create(next));
    return ports.ledger().commit(List.of(write)) instanceof Committed.Done;
  }

  private static boolean wants(Optional<Stored<Ticks>> stored, Ticks.Want want) {
    return stored.filter(s -> s.value().want() == want).isPresent();
  }

  private boolean settling(Optional<Stored<Ticks>> stored) {
    return stored
        .filter(s -> s.value().since().plus(SETTLING).isAfter(ports.clock().instant()))
        .isPresent();
  }

  /**
   * Whether nothing is there that a tick could have to do with: no live job, no worker that is not
   * gone, none that is wanted, and no machine of ours in the cloud, by a list that is complete.
   */
  private boolean idle() {
    var clusters =
        ports.ledger().query(new Query.Clusters(false)).stream().map(Stored::value).toList();
    for (var cluster : clusters) if (!idle(cluster)) return false;
    var inventory = ports.fleet().list();
    if (!inventory.complete()) return false;
    var ours =
        ports.ledger().query(new Query.Clusters(true)).stream()
            .map(c -> c.value().uid())
            .collect(Collectors.toSet());
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
