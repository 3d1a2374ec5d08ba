package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangRun;

/** Planted mistakes, one at a time, which the invariants must find. */
enum GangMutant {
  NONE,
  /** Rank 0 publishes as soon as it has ended well itself. */
  PUBLISH_BEFORE_ALL_EXITED,
  /** The next run prepares although not every host has confirmed that nothing is left. */
  AGAIN_BEFORE_ALL_CLEAR,
  /** An agent confirms a kill when ordered, not when the processes are gone. */
  CONFIRM_BEFORE_DEAD,
  /** Any report of a host counts as its confirmation, even for an older run. */
  ANY_WORD_CONFIRMS;

  GangRun spoil(GangRun next, GangEvent event) {
    return switch (this) {
      case PUBLISH_BEFORE_ALL_EXITED ->
          next.phase() instanceof GangPhase.Settle s
                  && next.members().getFirst().stage() == GangMemberStage.EXITED
              ? next.withPhase(new GangPhase.Publish(s.since(), s.deadline()))
              : next;
      case AGAIN_BEFORE_ALL_CLEAR ->
          next.phase() instanceof GangPhase.Kill k
              ? next.withPhase(new GangPhase.Cleared(k.since(), k.fault()))
              : next;
      case ANY_WORD_CONFIRMS ->
          next.phase() instanceof GangPhase.Kill k && event instanceof GangEvent.Reported r
              ? clear(next, k, r)
              : next;
      case NONE, CONFIRM_BEFORE_DEAD -> next;
    };
  }

  private static GangRun clear(GangRun run, GangPhase.Kill kill, GangEvent.Reported event) {
    var next =
        run.mapMembers(
            m -> m.host().equals(event.report().host()), m -> m.withStage(GangMemberStage.CLEAR));
    return next.all(m -> m.stage() == GangMemberStage.CLEAR)
        ? next.withPhase(new GangPhase.Cleared(event.at(), kill.fault()))
        : next;
  }

  GangMembership spoil(GangMembership member, GangOrder order) {
    var next = member.on(order);
    return this == CONFIRM_BEFORE_DEAD ? next.killed() : next;
  }
}
