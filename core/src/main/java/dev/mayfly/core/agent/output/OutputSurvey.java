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
import dev.mayfly.core.sentinel.SharedSentinels;
import dev.mayfly.core.text.TaskTemplate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Sorts a lease's tasks by what exists at their outputs. */
final class OutputSurvey {
  /** Creates a sentinel, unless its output is gone by now. */
  interface Seal {
    AgentEvent create(AgentEffect.Seal effect);
  }

  /** Creates the sentinels of several tasks, but of those whose output is gone by now. */
  interface SealTogether {
    List<AgentEvent.AttemptEvent> create(AgentEffect.SealTogether effect);
  }

  private final ObjectStore objectStore;
  private final SharedSentinels sharedSentinels;
  private final Seal seal;
  private final SealTogether sealTogether;
  private final String worker;

  OutputSurvey(
      ObjectStore objectStore,
      SharedSentinels sharedSentinels,
      Seal seal,
      SealTogether sealTogether,
      String worker) {
    this.objectStore = objectStore;
    this.sharedSentinels = sharedSentinels;
    this.seal = seal;
    this.sealTogether = sealTogether;
    this.worker = worker;
  }

  /** What was found so far. */
  private static final class Found {
    final Set<Long> done = new HashSet<>();
    final Set<Long> adopted = new HashSet<>();
    final Set<Long> taken = new HashSet<>();

    /** What is to be adopted, where sentinels are together. */
    final List<AgentEffect.Seal> adoptable = new ArrayList<>();
  }

  AgentEvent run(AgentEffect.Survey effect) {
    var urls = new HashMap<ObjectUrl, TaskItem>();
    for (var item : effect.items()) outputUrl(effect, item).ifPresent(url -> urls.put(url, item));
    var existing = ExistingOutputs.of(objectStore, urls.keySet());
    var shared = shared(effect);
    var found = new Found();
    urls.forEach((url, item) -> {
      var own = existing.sealed().get(url);
      var sentinel = own == null ? shared.get(item.index()) : own;
      var output = existing.outputs().get(url);
      if (sentinel != null) {
        // The job's function deletes a sentinel that the job does not accept.
        if (isAccepted(effect, item, sentinel)) found.done.add(item.index());
      } else if (output != null && effect.jobInfo().spec().data().outputs() == OutputMode.UPLOADED)
        unsealed(effect, url, item, output, found);
    });
    adoptTogether(effect, found);
    return new AgentEvent.Surveyed(
        effect.lease(),
        taskSet(effect, found.done),
        taskSet(effect, found.adopted),
        taskSet(effect, found.taken));
  }

  private Map<Long, ObjectInfo> shared(AgentEffect.Survey effect) {
    var jobInfo = effect.jobInfo();
    if (!jobInfo.spec().data().sealedTogether()) return Map.of();
    var tasks = effect.items().stream().map(TaskItem::index).toList();
    return sharedSentinels.find(jobInfo.bucket(), jobInfo.job(), tasks);
  }

  /** Skips an invalid output URL; the upload will report it to the user. */
  private static Optional<ObjectUrl> outputUrl(AgentEffect.Survey effect, TaskItem item) {
    try {
      return Optional.of(ObjectUrl.of(TaskCommand.output(effect.jobInfo(), item)));
    } catch (IllegalArgumentException invalid) {
      return Optional.empty();
    }
  }

  /** The task runs, unless this is its own result already or may not be replaced by it. */
  private void unsealed(
      AgentEffect.Survey effect, ObjectUrl url, TaskItem item, ObjectInfo output, Found found) {
    var index = item.index();
    var by = new Adoption(effect.jobInfo(), item).by(output, objectStore);
    if (by.isPresent()) {
      var adopting = adopting(effect, url, index, by.get(), output);
      if (effect.jobInfo().spec().data().sealedTogether()) found.adoptable.add(adopting);
      else adopted(effect, seal.create(adopting), found);
    } else if (Sentinel.by(output.metadata()).isEmpty()
        && !effect.jobInfo().spec().data().overwrite()) found.taken.add(index);
  }

  private void adoptTogether(AgentEffect.Survey effect, Found found) {
    if (found.adoptable.isEmpty()) return;
    var jobInfo = effect.jobInfo();
    sealTogether
        .create(new AgentEffect.SealTogether(jobInfo.job(), jobInfo.bucket(), found.adoptable))
        .forEach(answer -> adopted(effect, answer, found));
  }

  private static void adopted(AgentEffect.Survey effect, AgentEvent answer, Found found) {
    if (!(answer instanceof AgentEvent.Sealed sealed)
        || sealed.by().filter(by -> by.job().equals(effect.jobInfo().job())).isEmpty()) return;
    found.done.add(sealed.attempt().index());
    found.adopted.add(sealed.attempt().index());
  }

  private boolean isAccepted(AgentEffect.Survey effect, TaskItem item, ObjectInfo sentinel) {
    var spec = effect.jobInfo().spec();
    var rule = spec.data().doneRule().of(item.index());
    var input =
        rule.input()
            ? item.input().flatMap(url -> objectStore.find(ObjectUrl.of(url)))
            : Optional.<ObjectInfo>empty();
    var code = spec.run().code().map(TaskTemplate::stem);
    var present = new MadeFrom(input.map(ObjectInfo::generation), code);
    return rule.accepts(effect.jobInfo().job(), sentinel.metadata(), present);
  }

  private AgentEffect.Seal adopting(
      AgentEffect.Survey effect, ObjectUrl url, long index, Sentinel.By by, ObjectInfo info) {
    var attempt = new TaskAttempt(effect.lease(), index);
    var sentinel = OutputObject.adopted(by, info).sentinel(worker, effect.at());
    var at = url.append(Sentinel.SUFFIX);
    return new AgentEffect.Seal(attempt, at, sentinel.withAdoptedBy(attempt.name()), true);
  }

  private static TaskSet taskSet(AgentEffect.Survey effect, Set<Long> indexes) {
    var start = effect.lease().start();
    var end = indexes.stream().mapToLong(i -> i + 1).max().orElse(start);
    return TaskSet.where(start, end, indexes::contains);
  }
}
