package dev.mayfly.core.control;

import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Grants that are written in one batch: one worker's when there are few, several workers' when a
 * pass has many, so that a thousand workers cost a hundred commits.
 *
 * <p>A conflict says that one of the grants is void and that nothing was written: the others are
 * written without it, once.
 */
final class Bundle implements Runnable {
  private static final int GRANTS = 16;
  private static final int WRITES = 390;

  /** After so many conflicts it is likely that others want all of it: the pass looks again. */
  private static final int TRIES = 2;

  /** As many bundles as this are made before any of them holds more than one grant. */
  private static final int SINGLE = 8;

  private final Deck deck;
  private final List<Grant> grants;

  private Bundle(Deck deck, List<Grant> grants) {
    this.deck = deck;
    this.grants = List.copyOf(grants);
  }

  /** All the grants, in bundles of about the same size. */
  static List<Bundle> of(Deck deck, List<Grant> grants) {
    var most = Math.min(GRANTS, (grants.size() + SINGLE - 1) / SINGLE);
    var bundles = new ArrayList<Bundle>();
    var next = new ArrayList<Grant>();
    var writes = 0;
    for (var grant : grants) {
      if (!next.isEmpty() && (next.size() >= most || writes + grant.size() > WRITES)) {
        bundles.add(new Bundle(deck, next));
        next.clear();
        writes = 0;
      }
      next.add(grant);
      writes += grant.size();
    }
    if (!next.isEmpty()) bundles.add(new Bundle(deck, next));
    return bundles;
  }

  List<Grant> grants() {
    return grants;
  }

  @Override
  public void run() {
    var left = new ArrayList<>(grants);
    for (var tries = 0; tries < TRIES && !left.isEmpty(); tries++) {
      var writes = new ArrayList<Write>();
      var now = deck.clock().instant();
      for (var grant : left) writes.addAll(grant.writes(now));
      gangs(left, now).ifPresent(writes::add);
      switch (deck.ledger().commit(writes)) {
        case Committed.Done done -> {
          written(left, done.versions());
          return;
        }
        case Committed.Conflict conflict -> lost(left, conflict);
      }
    }
  }

  /** The other hosts of a slice wait in calls of their own. */
  private static Optional<Write> gangs(List<Grant> grants, Instant now) {
    var gangs = grants.stream().filter(Grant::isGang).toList();
    if (gangs.isEmpty()) return Optional.empty();
    var cluster = gangs.getFirst().buyer().call.worker().cluster();
    var workers = gangs.stream().map(Grant::worker).toList();
    return Optional.of(new Write.Notify(cluster, now, false, workers));
  }

  private static void written(List<Grant> grants, List<String> versions) {
    var at = 0;
    for (var grant : grants) {
      grant.written(versions.get(at));
      at += grant.size();
    }
  }

  private static void lost(List<Grant> left, Committed.Conflict conflict) {
    var lost = left.stream().filter(g -> g.isAbout(conflict.key())).findFirst();
    lost.orElse(left.getFirst()).lost(conflict.key());
    left.remove(lost.orElse(left.getFirst()));
  }
}
