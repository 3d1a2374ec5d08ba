package dev.mayfly.core.agent.task;

import dev.mayfly.core.lifecycle.GangMembership;
import dev.mayfly.core.model.gang.GangOrder;

/** What this host is in the run of one lease of a gang. */
public final class LocalGangState {
  private GangMembership member = GangMembership.NEW;
  private GangOrder order;
  private boolean news;

  LocalGangState(GangOrder first) {
    order = first;
  }

  public GangMembership member() {
    return member;
  }

  /** The newest one. */
  public GangOrder order() {
    return order;
  }

  public void ordered(GangOrder next) {
    member = member.on(next);
    // One that is over tells of nobody's address.
    if (next.run() >= member.run() && next.step() != GangOrder.Step.NOTHING) order = next;
  }

  /** What it did, or could not do. */
  public void update(GangMembership next) {
    var told = next.stage() != member.stage() || next.cleared() != member.cleared();
    news |= told || !next.trouble().equals(member.trouble());
    member = next;
  }

  /** True once after something that the control plane waits for. */
  public boolean takeNews() {
    var was = news;
    news = false;
    return was;
  }
}
