package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.lease.LeaseTable;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.agent.task.TaskRun;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What happens to an agent that reaches nobody: it works on for the job's cut-off time, then kills
 * that job's tasks, and later switches the machine off. That is a courtesy: only the control
 * plane's delete is proof.
 */
public final class PartitionHandler {
  private final AgentContext agentContext;
  private final LeaseTable book;
  private final SyncTimer sync;
  private final Set<LeaseRef> ended = new HashSet<>();
  private boolean off;

  public PartitionHandler(AgentContext agentContext, LeaseTable book, SyncTimer sync) {
    this.agentContext = agentContext;
    this.book = book;
    this.sync = sync;
  }

  public void contacted() {
    ended.clear();
    off = false;
  }

  /** After each event. A call must have failed: after a suspension it was we who were not there. */
  public void check() {
    if (!sync.failing()) return;
    var silence = sync.silence();
    for (var lease : book.all())
      if (silence.compareTo(of(lease)) >= 0 && ended.add(lease.ref)) {
        var evidence = "the agent reached nobody for " + silence.toSeconds() + " s";
        book.end(lease, FailureCause.LOST, evidence, Duration.ZERO, true);
      }
    if (off || silence.compareTo(powerOff()) < 0) return;
    off = true;
    agentContext.emit(new AgentEffect.PowerOff("reached nobody for " + silence.toSeconds() + " s"));
  }

  private Duration of(HeldLease lease) {
    return lease
        .jobInfo()
        .map(s -> s.spec().run().cutOff())
        .orElse(agentContext.settings.silence().cutOff());
  }

  /** What was given back before the silence began keeps no machine on: nothing runs of it. */
  private Duration powerOff() {
    return book.all().stream()
        .filter(lease -> !lease.released() || ended.contains(lease.ref))
        .map(this::of)
        .max(Duration::compareTo)
        .orElse(agentContext.settings.silence().cutOff())
        .plus(agentContext.settings.silence().powerOffAfter());
  }

  /** When to look again, on the monotonic clock. */
  public long next() {
    if (!sync.failing()) return TimerQueue.NEVER;
    var next = off ? TimerQueue.NEVER : at(powerOff());
    for (var lease : book.all())
      if (!ended.contains(lease.ref)) next = Math.min(next, at(of(lease)));
    return next;
  }

  private long at(Duration silence) {
    return TimerQueue.after(sync.lastAnswer(), silence);
  }

  /**
   * Why the attempt's result may be another's by now: the machine stood still while it ran, or
   * nobody was reached for so long that the work may have been given away.
   *
   * @param due when the last orders wanted to hear of us, by our clocks
   */
  public Optional<String> doubt(TaskRun run, ClockReading due) {
    var gap = agentContext.now().disagreement(run.began);
    if (gap.compareTo(agentContext.settings.clockSlack()) > 0)
      return Optional.of(
          "the machine stood still, or its clock was set, by " + gap.toSeconds() + " s");
    var late = agentContext.now().since(due);
    if (late.compareTo(run.sheet.spec().run().cutOff()) < 0) return Optional.empty();
    return Optional.of("nobody was reached for " + late.toSeconds() + " s past the time agreed");
  }
}
