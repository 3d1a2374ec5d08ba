package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.UncheckedIOException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * How a result gets into the object store: the effects of an {@link Agent} that read and write
 * objects, performed. Every runner of the agent uses this one.
 *
 * <p>Each method gives the event that answers its effect and throws nothing that time, rights or
 * the user can mend. All may be called by several threads at once, and again with the same effect.
 */
public final class ObjectEffectExecutor {
  private static final int LIST_CAP = 64 << 20;

  private final ObjectStore objectStore;
  private final Codec codec;
  private final OutputSurvey outputSurvey;
  private final OutputUploader outputUploader;

  /**
   * @param worker the name that sentinels made here carry
   */
  public ObjectEffectExecutor(ObjectStore objectStore, Codec codec, String worker) {
    this.objectStore = objectStore;
    this.codec = codec;
    this.outputSurvey =
        new OutputSurvey(
            objectStore, sentinel -> create(sentinel.at(), sentinel.sentinel()), worker);
    this.outputUploader = new OutputUploader(objectStore);
  }

  /** Reads a task list object. */
  public AgentEvent fetch(AgentEffect.FetchTaskList ask) {
    Function<String, AgentEvent> failed =
        reason -> new AgentEvent.TaskListFetchFailed(ask.job(), ask.chunk(), reason);
    return answered(
        () ->
            objectStore
                .read(ask.list(), LIST_CAP)
                .<AgentEvent>map(body ->
                    new AgentEvent.TaskListFetched(ask.job(), ask.chunk(), codec.tasks(body)))
                .orElseGet(() ->
                    failed.apply(ask.list() + " is not there; the job's task list was deleted")),
        failed,
        failed);
  }

  /**
   * Finds what is done, by listing the outputs' common prefix. A finished upload without a sentinel
   * is an attempt whose agent died between two calls: it gets its sentinel here, for that attempt
   * and generation.
   */
  public AgentEvent survey(AgentEffect.Survey ask) {
    Function<String, AgentEvent> failed =
        reason -> new AgentEvent.SurveyFailed(ask.lease(), reason);
    return answered(() -> outputSurvey.run(ask), failed, failed);
  }

  /**
   * Uploads what the task left, unless an attempt's finished upload is there already: then that one
   * counts. Where the task writes its output itself, or left nothing, this only looks.
   */
  public AgentEvent upload(AgentEffect.Upload ask, ProducedOutput producedOutput) {
    return answered(
        () -> outputUploader.upload(ask, producedOutput),
        reason -> new AgentEvent.PublishFailed(ask.attempt(), true, reason),
        reason -> new AgentEvent.PublishFailed(ask.attempt(), false, reason));
  }

  /** Creates the sentinel, or tells who did. */
  public AgentEvent seal(AgentEffect.Seal ask) {
    return answered(
        () ->
            new AgentEvent.Sealed(
                ask.attempt(), Sentinel.by(create(ask.at(), ask.sentinel()).metadata())),
        reason -> new AgentEvent.PublishFailed(ask.attempt(), true, reason),
        reason -> new AgentEvent.PublishFailed(ask.attempt(), false, reason));
  }

  private ObjectInfo create(ObjectUrl at, Sentinel sentinel) {
    var body = ObjectStore.Content.of(codec.sentinel(sentinel));
    return objectStore.create(at, body, sentinel.metadata()).info();
  }

  /** What is asked, or the event for a failure that time can mend, or for one that it cannot. */
  private static AgentEvent answered(
      Supplier<AgentEvent> work,
      Function<String, AgentEvent> later,
      Function<String, AgentEvent> never) {
    try {
      return work.get();
    } catch (UnavailableException | UncheckedIOException e) {
      return later.apply(message(e));
    } catch (DeniedException | InvalidInputException | IllegalArgumentException e) {
      return never.apply(message(e));
    }
  }

  private static String message(RuntimeException e) {
    var message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
