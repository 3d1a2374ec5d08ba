package dev.mayfly.core.agent;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
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
public final class Publication {
  private static final int LIST_CAP = 64 << 20;

  private final Objects objects;
  private final Codec codec;
  private final Survey survey;
  private final Upload upload;

  /**
   * @param worker the name that sentinels made here carry
   */
  public Publication(Objects objects, Codec codec, String worker) {
    this.objects = objects;
    this.codec = codec;
    this.survey =
        new Survey(objects, sentinel -> create(sentinel.at(), sentinel.sentinel()), worker);
    this.upload = new Upload(objects);
  }

  /** Reads a task list object. */
  public AgentEvent fetch(AgentEffect.Fetch ask) {
    Function<String, AgentEvent> failed =
        reason -> new AgentEvent.FetchFailed(ask.job(), ask.chunk(), reason);
    return answered(
        () ->
            objects
                .read(ask.list(), LIST_CAP)
                .<AgentEvent>map(
                    body -> new AgentEvent.ItemsFetched(ask.job(), ask.chunk(), codec.tasks(body)))
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
    return answered(() -> survey.of(ask), failed, failed);
  }

  /**
   * Uploads what the task left, unless an attempt's finished upload is there already: then that one
   * counts. Where the task writes its output itself, or left nothing, this only looks.
   */
  public AgentEvent upload(AgentEffect.Upload ask, Left left) {
    return answered(
        () -> upload.of(ask, left),
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

  private ObjectInfo create(Url at, Sentinel sentinel) {
    var body = Objects.Content.of(codec.sentinel(sentinel));
    return objects.create(at, body, sentinel.metadata()).info();
  }

  /** What is asked, or the event for a failure that time can mend, or for one that it cannot. */
  private static AgentEvent answered(
      Supplier<AgentEvent> work,
      Function<String, AgentEvent> later,
      Function<String, AgentEvent> never) {
    try {
      return work.get();
    } catch (Unavailable | UncheckedIOException e) {
      return later.apply(said(e));
    } catch (Denied | Invalid | IllegalArgumentException e) {
      return never.apply(said(e));
    }
  }

  private static String said(RuntimeException e) {
    var message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
