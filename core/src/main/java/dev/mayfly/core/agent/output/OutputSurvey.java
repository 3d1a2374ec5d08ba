package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
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
    var urls = new HashMap<ObjectUrl, TaskItem>();
    for (var item : effect.items()) outputUrl(effect, item).ifPresent(url -> urls.put(url, item));
    var found = ExistingOutputs.of(objectStore, urls.keySet());
    var done = new HashSet<Long>();
    var taken = new HashSet<Long>();
    urls.forEach((url, item) -> {
      var sentinel = found.sealed().get(url);
      if (sentinel != null) {
        // The job's function deletes a sentinel that the job does not accept.
        if (isAccepted(effect, item, sentinel)) done.add(item.index());
      } else if (effect.jobInfo().spec().data().outputs() == OutputMode.UPLOADED)
        unsealed(effect, url, item, found, done, taken);
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
      TaskItem item,
      ExistingOutputs found,
      Set<Long> done,
      Set<Long> taken) {
    var info = found.outputs().get(url);
    if (info == null) return;
    var by = Sentinel.by(info.metadata());
    if (by.isPresent() && !OutputUploader.intact(info)) return;
    if (by.isPresent() && !isAccepted(effect, item, info)) return;
    var index = item.index();
    if (by.isPresent()) {
      adopt(effect, url, index, by.get(), info);
      done.add(index);
    } else if (!effect.jobInfo().spec().data().overwrite()) taken.add(index);
  }

  private boolean isAccepted(AgentEffect.Survey effect, TaskItem item, ObjectInfo found) {
    var spec = effect.jobInfo().spec();
    var rule = spec.data().doneRule().of(item.index());
    var input =
        rule.input()
            ? item.input().flatMap(url -> objectStore.find(ObjectUrl.of(url)))
            : Optional.<ObjectInfo>empty();
    var code = spec.run().code().map(TaskTemplate::stem);
    var present = new MadeFrom(input.map(ObjectInfo::generation), code);
    return rule.accepts(effect.jobInfo().job(), found.metadata(), present);
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
