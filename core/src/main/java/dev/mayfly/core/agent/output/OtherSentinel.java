package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether an object in the way of an upload is a result by another sentinel than the upload's own.
 * The index of a folder lies at {@code <output>/index.json}, where another task may have a file as
 * its output; and a file may lie where another task's folder has its index.
 */
final class OtherSentinel {
  private final ObjectStore objectStore;
  private final AgentEffect.Upload effect;

  OtherSentinel(ObjectStore objectStore, AgentEffect.Upload effect) {
    this.objectStore = objectStore;
    this.effect = effect;
  }

  /** Refuses the upload if the object is sealed, or is itself a sentinel. */
  Optional<AgentEvent> taken(ObjectInfo existing) {
    var own = TaskCommand.output(effect.jobInfo(), effect.item()) + Sentinel.SUFFIX;
    var url = existing.url().toString();
    if (url.endsWith(Sentinel.SUFFIX)) return Optional.of(refused(url + " is a sentinel"));
    return outputs(url)
        .map(output -> output + Sentinel.SUFFIX)
        .filter(sentinel -> !sentinel.equals(own))
        .flatMap(sentinel -> objectStore.find(ObjectUrl.of(sentinel)).stream())
        .filter(sentinel -> pins(sentinel, existing))
        .findFirst()
        .map(sentinel -> refused(url + " is " + owner(sentinel) + " by " + sentinel.url()));
  }

  /** The outputs of which the object may be the result. */
  private static Stream<String> outputs(String url) {
    var index = "/" + OutputUploader.INDEX;
    return url.endsWith(index)
        ? Stream.of(url, url.substring(0, url.length() - index.length()))
        : Stream.of(url);
  }

  /** A sentinel made by hand pins no generation. */
  private static boolean pins(ObjectInfo sentinel, ObjectInfo existing) {
    return Sentinel.by(sentinel.metadata())
        .filter(by -> by.generation() != 0 && by.generation() != existing.generation())
        .isEmpty();
  }

  private static String owner(ObjectInfo sentinel) {
    return Sentinel.by(sentinel.metadata())
        .map(by -> "the result of task " + by.task() + " of job " + by.job())
        .orElse("a result");
  }

  private AgentEvent refused(String why) {
    return new AgentEvent.OutputExists(
        effect.attempt(), why + "; give this job's outputs another place");
  }
}
