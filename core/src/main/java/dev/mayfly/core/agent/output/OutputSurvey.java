package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Sorts a lease's tasks by what exists at their outputs. */
final class OutputSurvey {
  private final ObjectStore objectStore;
  private final Consumer<AgentEffect.Seal> seal;
  private final String worker;

  OutputSurvey(ObjectStore objectStore, Consumer<AgentEffect.Seal> seal, String worker) {
    this.objectStore = objectStore;
    this.seal = seal;
    this.worker = worker;
  }

  AgentEvent run(AgentEffect.Survey effect) {
    var urls = new HashMap<ObjectUrl, Long>();
    for (var item : effect.items())
      outputUrl(effect, item).ifPresent(url -> urls.put(url, item.index()));
    var found = ExistingOutputs.of(objectStore, urls.keySet());
    var done = new HashSet<Long>();
    var taken = new HashSet<Long>();
    urls.forEach((url, index) -> {
      if (found.sealed().contains(url)) done.add(index);
      else if (effect.jobInfo().spec().data().outputs() == JobSpec.Outputs.UPLOADED)
        unsealed(effect, url, index, found, done, taken);
    });
    return new AgentEvent.Surveyed(effect.lease(), taskSet(effect, done), taskSet(effect, taken));
  }

  /** Skips an invalid output URL; the upload will report it to the user. */
  private static Optional<ObjectUrl> outputUrl(AgentEffect.Survey effect, TaskItem item) {
    try {
      return Optional.of(ObjectUrl.of(TaskCommand.output(effect.jobInfo(), item)));
    } catch (IllegalArgumentException invalid) {
      return Optional.empty();
    }
  }

  private void unsealed(
      AgentEffect.Survey effect,
      ObjectUrl url,
      long index,
      ExistingOutputs found,
      Set<Long> done,
      Set<Long> taken) {
    var info = found.outputs().get(url);
    if (info == null) return;
    var by = Sentinel.by(info.metadata());
    if (by.isPresent() && !OutputUploader.intact(info)) return;
    if (by.isPresent()) {
      adopt(effect, url, index, by.get(), info);
      done.add(index);
    } else if (!effect.jobInfo().spec().data().overwrite()) taken.add(index);
  }

  private void adopt(
      AgentEffect.Survey effect, ObjectUrl url, long index, Sentinel.By by, ObjectInfo info) {
    var sentinel = OutputUploader.adopted(by, info).sentinel(worker, effect.at());
    seal.accept(
        new AgentEffect.Seal(
            new TaskAttempt(effect.lease(), index), url.append(Sentinel.SUFFIX), sentinel));
  }

  private static TaskSet taskSet(AgentEffect.Survey effect, Set<Long> indexes) {
    var start = effect.lease().start();
    var end = indexes.stream().mapToLong(i -> i + 1).max().orElse(start);
    return TaskSet.where(start, end, indexes::contains);
  }
}
