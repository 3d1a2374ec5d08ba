package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.Grace;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.model.FailureCause;
import java.util.Optional;

/** Asks for the end of attempts' processes, again and again until it is confirmed. */
final class KillRequests {
  private final AgentContext agentContext;

  KillRequests(AgentContext agentContext) {
    this.agentContext = agentContext;
  }

  void send(TaskRun run, RunState.Killing state, Grace grace) {
    send(run, state, state.cause(), grace);
  }

  /**
   * @param why of this request, which may be another than what is reported
   */
  void send(TaskRun run, RunState.Killing state, Optional<FailureCause> why, Grace grace) {
    run.transition(state, agentContext.timerQueue);
    var reason = StopReason.of(why, run.lease.gang().isPresent());
    agentContext.emit(
        new AgentEffect.Kill(
            run.taskAttempt, grace.time(), grace.storing(), reason, state.evidence()));
    var again = grace.longest().plus(agentContext.settings.killAgain());
    var given = Grace.none(Grace.Without.GIVEN);
    run.addTimer(
        agentContext.timerQueue.set(agentContext.now(), again, () -> send(run, state, why, given)));
  }
}
