package dev.mayfly.core.gang;

import dev.mayfly.core.model.GangOrder;
import dev.mayfly.core.model.GangPhase;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.GangStage;

/** Wrong rules, one at a time, to see that the invariants find them. */
enum StormBug {
  NONE,
  /** Rank 0 publishes as soon as it has ended well itself. */
  PUBLISH_BEFORE_ALL_EXITED,
  /** The next run prepares although not every host has confirmed that nothing is left. */
  AGAIN_BEFORE_ALL_CLEAR,
  /** An agent confirms a kill when it is asked to, not when the processes are gone. */
  CONFIRM_BEFORE_DEAD,
  /** Any word of a host counts as its confirmation, however old the run that it is about. */
  ANY_WORD_CONFIRMS;

  GangRun spoil(GangRun next, GangEvent event) {
    return switch (this) {
      case PUBLISH_BEFORE_ALL_EXITED ->
          next.phase() instanceof GangPhase.Settle s
                  && next.members().getFirst().stage() == GangStage.EXITED
              ? next.in(new GangPhase.Publish(s.since(), s.deadline()))
              : next;
      case AGAIN_BEFORE_ALL_CLEAR ->
          next.phase() instanceof GangPhase.Kill k
              ? next.in(new GangPhase.Cleared(k.since(), k.fault()))
              : next;
      case ANY_WORD_CONFIRMS ->
          next.phase() instanceof GangPhase.Kill k && event instanceof GangEvent.Reported r
              ? clear(next, k, r)
              : next;
      case NONE, CONFIRM_BEFORE_DEAD -> next;
    };
  }

  private static GangRun clear(GangRun run, GangPhase.Kill kill, GangEvent.Reported event) {
    var next = run.each(m -> m.host().equals(event.report().host()), m -> m.at(GangStage.CLEAR));
    return next.all(m -> m.stage() == GangStage.CLEAR)
        ? next.in(new GangPhase.Cleared(event.at(), kill.fault()))
        : next;
  }

  Membership spoil(Membership member, GangOrder order) {
    var next = member.on(order);
    return this == CONFIRM_BEFORE_DEAD ? next.killed() : next;
  }
}
