package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * An output that the task writes itself ({@code outputs: written}). It counts only for the attempt
 * that wrote it: an object that lay there when the attempt began, and is the same at its end, is of
 * another one, which may have been killed in the middle.
 */
public final class WrittenOutput {
  private static final long NOTHING = 0;

  private final ObjectStore objectStore;
  private final ObjectUrl output;

  WrittenOutput(ObjectStore objectStore, ObjectUrl output) {
    this.objectStore = objectStore;
    this.output = output;
  }

  /** What lies at the output before the command starts; empty for a task that does not write it. */
  public static Optional<Long> before(ObjectStore objectStore, JobInfo jobInfo, TaskItem item) {
    if (jobInfo.spec().data().outputs() != OutputMode.WRITTEN) return Optional.empty();
    var output = ObjectUrl.of(TaskCommand.output(jobInfo, item));
    return Optional.of(objectStore.find(output).map(ObjectInfo::generation).orElse(NOTHING));
  }

  /** The sentinel pins the current object, unless another attempt or job wrote it. */
  AgentEvent check(AgentEffect.Upload effect) {
    var found = objectStore.find(output);
    if (found.isEmpty())
      return refused(effect, "there is no " + output + "; the job says outputs: written");
    if (isOlder(found.get(), effect.jobInfo()))
      return refused(
          effect,
          of(found.get())
              + ", before this job: the command did not write it; delete it, or create "
              + TaskTemplate.fileName(output + Sentinel.SUFFIX)
              + " beside it if it is right");
    if (isUnchanged(found.get(), effect.before()))
      return refused(
          effect,
          of(found.get()) + ", before this attempt began: an earlier one may have left half of it");
    return new AgentEvent.Uploaded(effect.attempt(), OutputObject.found(effect, found.get()));
  }

  private String of(ObjectInfo found) {
    return output + " is of " + found.updated().truncatedTo(ChronoUnit.SECONDS);
  }

  private static AgentEvent refused(AgentEffect.Upload effect, String why) {
    return new AgentEvent.PublishFailed(effect.attempt(), false, "exit code 0, but " + why);
  }

  /** A program that skips what exists would do nothing in all later attempts. */
  AgentEvent discard(AgentEffect.Discard effect) {
    var found = objectStore.find(output).filter(info -> isOfTheJob(info, effect));
    var deleted =
        found.isPresent()
            && objectStore.find(output.append(Sentinel.SUFFIX)).isEmpty()
            && objectStore.delete(output, found.get().generation());
    return new AgentEvent.Discarded(effect.attempt(), deleted);
  }

  /** Whether this attempt wrote it, or another one of the job by its time. */
  private static boolean isOfTheJob(ObjectInfo found, AgentEffect.Discard effect) {
    if (isOlder(found, effect.jobInfo())) return false;
    return !isUnchanged(found, effect.before())
        || effect.jobInfo().since().filter(since -> !found.updated().isBefore(since)).isPresent();
  }

  private static boolean isUnchanged(ObjectInfo found, Optional<Long> before) {
    return before.filter(generation -> generation == found.generation()).isPresent();
  }

  /** A file may keep the time of what it was copied from. */
  private static boolean isOlder(ObjectInfo found, JobInfo jobInfo) {
    return !found.url().root().startsWith("file:")
        && jobInfo.since().filter(found.updated()::isBefore).isPresent();
  }
}
