package dev.mayfly.agent.task;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.files.NameRule;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectUrl;
import java.nio.file.Path;

/**
 * Where an attempt leaves its output.
 *
 * @param isUploaded whether Mayfly stores what is there
 * @param names which names files in a folder at {@code file} can have
 */
record AttemptOutput(Path file, boolean isUploaded, NameRule names) {
  static AttemptOutput of(AgentEffect.Start start, Path file) {
    var mode = start.jobInfo().spec().data().outputs();
    return new AttemptOutput(
        file, mode == OutputMode.UPLOADED, NameRule.ofObjects(bytesBefore(start)));
  }

  /** The bytes of {@code <output>/<job>.<attempt>-<try>/}. */
  private static int bytesBefore(AgentEffect.Start start) {
    try {
      var output = ObjectUrl.of(TaskCommand.output(start.jobInfo(), start.item())).name();
      var folder = "/" + start.jobInfo().job() + "." + start.attempt().name() + "-9/";
      return ObjectNames.bytes(output) + ObjectNames.bytes(folder);
    } catch (IllegalArgumentException wrong) {
      // The upload says so.
      return 0;
    }
  }
}
