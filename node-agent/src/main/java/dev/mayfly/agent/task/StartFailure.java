package dev.mayfly.agent.task;

import dev.mayfly.agent.files.CodeStore;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.setup.SetupFailedException;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentEvent.Prospect;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import java.io.FileNotFoundException;

/**
 * Why an attempt did not start.
 *
 * @param machine whether this machine alone is to blame
 * @param prospect of another start
 */
record StartFailure(FailureCause cause, boolean machine, String evidence, Prospect prospect) {
  StartFailure {
    evidence = AttemptFailure.fit(evidence);
  }

  /** One after which another start may succeed. */
  StartFailure(FailureCause cause, boolean machine, String evidence) {
    this(cause, machine, evidence, Prospect.OPEN);
  }

  /** From what was thrown. */
  static StartFailure of(Exception thrown) {
    var evidence = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    return switch (thrown) {
      // What the job says is wrong, and stays so.
      case CodeStore.InvalidCode _,
          InvalidInputException _,
          DeniedException _,
          IllegalArgumentException _ ->
          new StartFailure(FailureCause.USER, false, evidence, Prospect.NONE);
      case FileNotFoundException _ -> new StartFailure(FailureCause.USER, false, evidence);
      case SetupFailedException setup -> new StartFailure(setup.failureCause(), false, evidence);
      case MissingPermissionException _ ->
          new StartFailure(FailureCause.INFRASTRUCTURE, false, evidence, Prospect.DENIED);
      case WorkDir.Broken _ -> new StartFailure(FailureCause.INFRASTRUCTURE, true, evidence);
      default -> new StartFailure(FailureCause.INFRASTRUCTURE, false, evidence);
    };
  }

  /** The event of a start. */
  AgentEvent start(TaskAttempt attempt) {
    return new AgentEvent.StartFailed(attempt, cause, machine, evidence, prospect);
  }

  /** The event of a preparation. */
  AgentEvent preparation(TaskAttempt attempt) {
    return new AgentEvent.PrepareFailed(attempt, cause, machine, evidence, prospect);
  }
}
