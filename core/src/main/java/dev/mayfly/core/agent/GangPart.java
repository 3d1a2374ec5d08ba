package dev.mayfly.core.agent;

import dev.mayfly.core.gang.Membership;
import dev.mayfly.core.model.GangOrder;

/** What this host is in the run of one lease of a gang. */
final class GangPart {
  private Membership member = Membership.NEW;
  private GangOrder order;
  private boolean news;

  GangPart(GangOrder first) {
    order = first;
  }

  Membership member() {
    return member;
  }

  /** The newest one. */
  GangOrder order() {
    return order;
  }

  void ordered(GangOrder next) {
    member = member.on(next);
    // One that is over tells of nobody's address.
    if (next.run() >= member.run() && next.step() != GangOrder.Step.NOTHING) order = next;
  }

  /** What it did, or could not do. */
  void become(Membership next) {
    var told = next.stage() != member.stage() || next.cleared() != member.cleared();
    news |= told || !next.trouble().equals(member.trouble());
    member = next;
  }

  /** True once after something that the control plane waits for. */
  boolean takeNews() {
    var was = news;
    news = false;
    return was;
  }
}
