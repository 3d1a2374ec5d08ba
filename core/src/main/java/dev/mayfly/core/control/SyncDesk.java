package dev.mayfly.core.control;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Where agents call: one for each function instance. It hears their reports, grants leases, keeps
 * calls without news waiting, and judges who is silent.
 *
 * <p>Safe for many threads. Nothing that it remembers must survive it: another instance goes on
 * from the ledger.
 */
public final class SyncDesk implements AutoCloseable {
  /** A little less than from tick to tick. */
  private static final Duration VIGIL = Duration.ofSeconds(58);

  private final Deck deck;
  private final StallDetector detector;
  private final String instance;
  private final Losses losses;
  private final Endings endings;
  private final Judge judge;
  private final Map<String, Room> rooms = new ConcurrentHashMap<>();

  /**
   * @param instance a name that no other instance has, or had within the last minutes
   */
  public SyncDesk(
      Ledger ledger,
      Bus bus,
      Alarms alarms,
      Ids ids,
      InstantSource clock,
      Rules rules,
      String instance) {
    detector = new StallDetector(alarms, clock, rules.silentAfter().dividedBy(2));
    deck = new Deck(ledger, bus, detector, ids, clock, rules);
    this.instance = instance;
    losses = new Losses(ledger, bus, ids, clock);
    endings = new Endings(ledger, bus, clock);
    judge = new Judge(ledger, losses, clock, rules);
  }

  /**
   * Takes a report, and answers it through {@code reply}, exactly once: now if there is anything to
   * order, later if not. A repeated or overtaken report changes nothing and is answered.
   *
   * <p>Throws {@link dev.mayfly.core.error.Denied} for a report that is not the machine's, and
   * {@link dev.mayfly.core.error.Unavailable} when the ledger can't be reached; then {@code reply}
   * is not called.
   */
  public void sync(SyncReport report, Consumer<SyncOrders> reply) {
    room(report.cluster()).arrive(report, reply);
  }

  /**
   * Judges a cluster for a minute, as long as somebody in it is silent: workers that nobody else
   * would judge, because no call comes, are found all the same. A tick asks for it.
   */
  public void watchOver(String cluster) {
    watchOver(cluster, VIGIL, () -> {});
  }

  /** The same for {@code span} at most; {@code over} is called once, when it ends. */
  public void watchOver(String cluster, Duration span, Runnable over) {
    watchOver(cluster, deck.clock().instant().plus(span), over);
  }

  private void watchOver(String cluster, Instant until, Runnable over) {
    var next = deck.clock().instant().plus(deck.rules().judgeEvery());
    if (silent(cluster) && next.isBefore(until))
      deck.alarms().at(next, () -> watchOver(cluster, until, over));
    else over.run();
  }

  /** Whether anybody who should speak is silent now. Changes nothing. */
  public boolean anybodySilent(String cluster) {
    return judge.anybodySilent(cluster);
  }

  private boolean silent(String cluster) {
    try {
      return judge.passIfDue(cluster);
    } catch (Unavailable later) {
      return true;
    }
  }

  private Room room(String cluster) {
    var known = rooms.get(cluster);
    if (known != null) return known;
    // One that cannot be read is a cluster all the same, and its machines are heard.
    if (deck.ledger().readAll(List.of(new Key.OfCluster(cluster))).isEmpty())
      throw new Denied("there is no cluster " + cluster + "; the report's machine is nobody's");
    return rooms.computeIfAbsent(
        cluster, c -> new Room(deck, detector, c, instance, losses, judge, endings));
  }

  @Override
  public void close() {
    rooms.values().forEach(Room::close);
  }
}
