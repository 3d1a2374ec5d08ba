package dev.mayfly.core.dispatch;

import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Grants committed in one batch: one worker's in a small pass, several workers' in a large one, so
 * that a thousand workers cost a hundred commits.
 *
 * <p>A conflict means that one grant is void and nothing was written: the others are committed
 * without it, once.
 */
final class GrantBatch implements Runnable {
  private static final int GRANTS = 16;
  private static final int WRITES = 390;

  /** After this many conflicts the other grants are probably void too: the pass reads again. */
  private static final int MAX_TRIES = 2;

  /** Number of batches that are made before any of them holds more than one grant. */
  private static final int SINGLE = 8;

  private final Context context;
  private final List<LeaseGrant> leaseGrants;

  private GrantBatch(Context context, List<LeaseGrant> leaseGrants) {
    this.context = context;
    this.leaseGrants = List.copyOf(leaseGrants);
  }

  /** Splits the grants into batches of about the same size. */
  static List<GrantBatch> of(Context context, List<LeaseGrant> leaseGrants) {
    var most = Math.min(GRANTS, (leaseGrants.size() + SINGLE - 1) / SINGLE);
    var grantBatches = new ArrayList<GrantBatch>();
    var next = new ArrayList<LeaseGrant>();
    var writes = 0;
    for (var leaseGrant : leaseGrants) {
      if (!next.isEmpty() && (next.size() >= most || writes + leaseGrant.size() > WRITES)) {
        grantBatches.add(new GrantBatch(context, next));
        next.clear();
        writes = 0;
      }
      next.add(leaseGrant);
      writes += leaseGrant.size();
    }
    if (!next.isEmpty()) grantBatches.add(new GrantBatch(context, next));
    return grantBatches;
  }

  List<LeaseGrant> grants() {
    return leaseGrants;
  }

  @Override
  public void run() {
    var left = new ArrayList<>(leaseGrants);
    for (var tries = 0; tries < MAX_TRIES && !left.isEmpty(); tries++) {
      var ledgerWrites = new ArrayList<LedgerWrite>();
      var now = context.clock().instant();
      for (var leaseGrant : left) ledgerWrites.addAll(leaseGrant.writes(now));
      gangs(left, now).ifPresent(ledgerWrites::add);
      switch (context.ledger().commit(ledgerWrites)) {
        case CommitResult.Done done -> {
          written(left, done.versions());
          return;
        }
        case CommitResult.Conflict conflict -> removeConflicted(left, conflict);
      }
    }
  }

  /** The other hosts of a slice wait in syncs of their own and must be notified. */
  private static Optional<LedgerWrite> gangs(List<LeaseGrant> leaseGrants, Instant now) {
    var gangs = leaseGrants.stream().filter(LeaseGrant::isGang).toList();
    if (gangs.isEmpty()) return Optional.empty();
    var cluster = gangs.getFirst().demand().pendingSync.worker().cluster();
    var workers = gangs.stream().map(LeaseGrant::worker).toList();
    return Optional.of(new LedgerWrite.Signal(cluster, now, false, workers));
  }

  private static void written(List<LeaseGrant> leaseGrants, List<String> versions) {
    var at = 0;
    for (var leaseGrant : leaseGrants) {
      leaseGrant.written(versions.get(at));
      at += leaseGrant.size();
    }
  }

  private static void removeConflicted(List<LeaseGrant> left, CommitResult.Conflict conflict) {
    var conflicted = left.stream().filter(g -> g.isAbout(conflict.key())).findFirst();
    conflicted.orElse(left.getFirst()).conflicted(conflict.key());
    left.remove(conflicted.orElse(left.getFirst()));
  }
}
