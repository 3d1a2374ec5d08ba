package dev.mayfly.core.dispatch;

import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.SyncContext;
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
final class GrantBatch implements Runnable {
  private static final int GRANTS = 16;
  private static final int WRITES = 390;

  /** After so many conflicts it is likely that others want all of it: the pass looks again. */
  private static final int TRIES = 2;

  /** As many bundles as this are made before any of them holds more than one grant. */
  private static final int SINGLE = 8;

  private final SyncContext syncContext;
  private final List<LeaseGrant> leaseGrants;

  private GrantBatch(SyncContext syncContext, List<LeaseGrant> leaseGrants) {
    this.syncContext = syncContext;
    this.leaseGrants = List.copyOf(leaseGrants);
  }

  /** All the grants, in bundles of about the same size. */
  static List<GrantBatch> of(SyncContext syncContext, List<LeaseGrant> leaseGrants) {
    var most = Math.min(GRANTS, (leaseGrants.size() + SINGLE - 1) / SINGLE);
    var grantBatches = new ArrayList<GrantBatch>();
    var next = new ArrayList<LeaseGrant>();
    var writes = 0;
    for (var leaseGrant : leaseGrants) {
      if (!next.isEmpty() && (next.size() >= most || writes + leaseGrant.size() > WRITES)) {
        grantBatches.add(new GrantBatch(syncContext, next));
        next.clear();
        writes = 0;
      }
      next.add(leaseGrant);
      writes += leaseGrant.size();
    }
    if (!next.isEmpty()) grantBatches.add(new GrantBatch(syncContext, next));
    return grantBatches;
  }

  List<LeaseGrant> grants() {
    return leaseGrants;
  }

  @Override
  public void run() {
    var left = new ArrayList<>(leaseGrants);
    for (var tries = 0; tries < TRIES && !left.isEmpty(); tries++) {
      var ledgerWrites = new ArrayList<LedgerWrite>();
      var now = syncContext.clock().instant();
      for (var leaseGrant : left) ledgerWrites.addAll(leaseGrant.writes(now));
      gangs(left, now).ifPresent(ledgerWrites::add);
      switch (syncContext.ledger().commit(ledgerWrites)) {
        case CommitResult.Done done -> {
          written(left, done.versions());
          return;
        }
        case CommitResult.Conflict conflict -> removeConflicted(left, conflict);
      }
    }
  }

  /** The other hosts of a slice wait in calls of their own. */
  private static Optional<LedgerWrite> gangs(List<LeaseGrant> leaseGrants, Instant now) {
    var gangs = leaseGrants.stream().filter(LeaseGrant::isGang).toList();
    if (gangs.isEmpty()) return Optional.empty();
    var cluster = gangs.getFirst().buyer().pendingSync.worker().cluster();
    var workers = gangs.stream().map(LeaseGrant::worker).toList();
    return Optional.of(new LedgerWrite.Notify(cluster, now, false, workers));
  }

  private static void written(List<LeaseGrant> leaseGrants, List<String> versions) {
    var at = 0;
    for (var leaseGrant : leaseGrants) {
      leaseGrant.written(versions.get(at));
      at += leaseGrant.size();
    }
  }

  private static void removeConflicted(List<LeaseGrant> left, CommitResult.Conflict conflict) {
    var lost = left.stream().filter(g -> g.isAbout(conflict.key())).findFirst();
    lost.orElse(left.getFirst()).conflicted(conflict.key());
    left.remove(lost.orElse(left.getFirst()));
  }
}
