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

/** Sorts a lease's tasks by what lies at their outputs. */
final class OutputSurvey {
  private final ObjectStore objectStore;
  private final Consumer<AgentEffect.Seal> seal;
  private final String worker;

  OutputSurvey(ObjectStore objectStore, Consumer<AgentEffect.Seal> seal, String worker) {
    this.objectStore = objectStore;
    this.seal = seal;
    this.worker = worker;
  }

  AgentEvent run(AgentEffect.Survey ask) {
    var objectUrls = new HashMap<ObjectUrl, Long>();
    for (var item : ask.items())
      outputUrl(ask, item).ifPresent(objectUrl -> objectUrls.put(objectUrl, item.index()));
    var found = ExistingOutputs.of(objectStore, objectUrls.keySet());
    var done = new HashSet<Long>();
    var taken = new HashSet<Long>();
    objectUrls.forEach((objectUrl, index) -> {
      if (found.sealed().contains(objectUrl)) done.add(index);
      else if (ask.jobInfo().spec().data().outputs() == JobSpec.Outputs.UPLOADED)
        unsealed(ask, objectUrl, index, found, done, taken);
    });
    return new AgentEvent.Surveyed(ask.lease(), bits(ask, done), bits(ask, taken));
  }

  /** An output's URL that is none is left to the upload, whose failure tells the user. */
  private static Optional<ObjectUrl> outputUrl(AgentEffect.Survey ask, TaskItem item) {
    try {
      return Optional.of(ObjectUrl.of(TaskCommand.output(ask.jobInfo(), item)));
    } catch (IllegalArgumentException noPlace) {
      return Optional.empty();
    }
  }

  private void unsealed(
      AgentEffect.Survey ask,
      ObjectUrl objectUrl,
      long index,
      ExistingOutputs found,
      Set<Long> done,
      Set<Long> taken) {
    var info = found.outputs().get(objectUrl);
    if (info == null) return;
    var by = Sentinel.by(info.metadata());
    if (by.isPresent() && !OutputUploader.intact(info)) return;
    if (by.isPresent()) {
      adopt(ask, objectUrl, index, by.get(), info);
      done.add(index);
    } else if (!ask.jobInfo().spec().data().overwrite()) taken.add(index);
  }

  private void adopt(
      AgentEffect.Survey ask, ObjectUrl objectUrl, long index, Sentinel.By by, ObjectInfo info) {
    var sentinel = OutputUploader.adopted(by, info).sentinel(worker, ask.at());
    seal.accept(
        new AgentEffect.Seal(
            new TaskAttempt(ask.lease(), index), objectUrl.append(Sentinel.SUFFIX), sentinel));
  }

  private static TaskSet bits(AgentEffect.Survey ask, Set<Long> indexes) {
    var start = ask.lease().start();
    var end = indexes.stream().mapToLong(i -> i + 1).max().orElse(start);
    return TaskSet.where(start, end, indexes::contains);
  }
}
