package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentEvent.Prospect;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.sentinel.SharedSentinels;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Performs the effects of an {@link Agent} that read and write objects. Every runner of the agent
 * uses this class.
 *
 * <p>Each method returns the event that answers its effect, and throws nothing that time, rights or
 * the user can fix. All methods may be called by several threads at once, and again with the same
 * effect.
 */
public final class ObjectEffectExecutor {
  private static final int LIST_CAP = 64 << 20;

  private final ObjectStore objectStore;
  private final Codec codec;
  private final OutputSurvey outputSurvey;
  private final OutputUploader outputUploader;
  private final SharedSentinels sharedSentinels;

  /**
   * @param worker the name that sentinels made here carry
   */
  public ObjectEffectExecutor(ObjectStore objectStore, Codec codec, String worker) {
    this.objectStore = objectStore;
    this.codec = codec;
    this.sharedSentinels = new SharedSentinels(objectStore, codec);
    this.outputSurvey =
        new OutputSurvey(objectStore, sharedSentinels, this::sealed, this::together, worker);
    this.outputUploader = new OutputUploader(objectStore, sharedSentinels);
  }

  public AgentEvent fetch(AgentEffect.FetchTaskList effect) {
    Failure failed =
        (_, reason) -> new AgentEvent.TaskListFetchFailed(effect.job(), effect.chunk(), reason);
    return answered(
        () ->
            objectStore
                .read(effect.list(), LIST_CAP)
                .<AgentEvent>map(body ->
                    new AgentEvent.TaskListFetched(effect.job(), effect.chunk(), codec.tasks(body)))
                .orElseGet(() ->
                    failed.event(
                        Prospect.OPEN,
                        effect.list() + " does not exist; the job's task list was deleted")),
        failed);
  }

  /**
   * Finds tasks that are done by listing the outputs' common prefix. A finished upload of the same
   * computation without a sentinel comes from an agent that died between two calls: the survey
   * creates its sentinel, for that attempt and generation.
   */
  public AgentEvent survey(AgentEffect.Survey effect) {
    return answered(
        () -> outputSurvey.run(effect),
        (_, reason) -> new AgentEvent.SurveyFailed(effect.lease(), reason));
  }

  /**
   * Uploads the task's output, unless a finished upload of the same computation exists already and
   * counts instead. If the task writes its output itself, or left nothing, this only checks the
   * store.
   */
  public AgentEvent upload(AgentEffect.Upload effect, ProducedOutput producedOutput) {
    return answered(
        () -> outputUploader.upload(effect, producedOutput), publishFailed(effect.attempt()));
  }

  /**
   * Creates the sentinel, or names the attempt that did. A late one is not created for an output
   * that another job has replaced meanwhile; in the moment between the two calls it would be, which
   * the end of the job finds.
   */
  public AgentEvent seal(AgentEffect.Seal effect) {
    return answered(() -> sealed(effect), publishFailed(effect.attempt()));
  }

  /**
   * Creates the sentinels of several tasks, or names the attempts that did; see {@link
   * SharedSentinels}. If it fails, all of its attempts may try again.
   */
  public AgentEvent sealTogether(AgentEffect.SealTogether effect) {
    return answered(
        () -> new AgentEvent.SealedTogether(together(effect)),
        (prospect, reason) ->
            new AgentEvent.SealedTogether(
                effect.seals().stream()
                    .map(seal -> publishFailed(seal.attempt(), prospect, reason))
                    .toList()));
  }

  private List<AgentEvent.AttemptEvent> together(AgentEffect.SealTogether effect) {
    var ends = new ArrayList<AgentEvent.AttemptEvent>();
    var seals = new ArrayList<AgentEffect.Seal>();
    for (var seal : effect.seals()) {
      if (seal.late() && !isThere(seal.sentinel()))
        ends.add(new AgentEvent.OutputReplaced(seal.attempt()));
      else seals.add(seal);
    }
    var sentinels = seals.stream().map(AgentEffect.Seal::sentinel).toList();
    var made = sharedSentinels.create(effect.bucket(), effect.job(), sentinels);
    for (var seal : seals) {
      var metadata = Objects.requireNonNull(made.get(seal.attempt().index())).metadata();
      ends.add(new AgentEvent.Sealed(seal.attempt(), Sentinel.by(metadata), MadeFrom.of(metadata)));
    }
    return ends;
  }

  /**
   * Deletes what a command wrote at its task's output, if it is of this attempt or of this job's
   * time, and has no sentinel.
   */
  public AgentEvent discard(AgentEffect.Discard effect) {
    return answered(
        () -> {
          var output = ObjectUrl.of(TaskCommand.output(effect.jobInfo(), effect.item()));
          return new WrittenOutput(objectStore, output).discard(effect);
        },
        publishFailed(effect.attempt()));
  }

  private static Failure publishFailed(TaskAttempt attempt) {
    return (prospect, reason) -> publishFailed(attempt, prospect, reason);
  }

  private static AgentEvent.AttemptEvent publishFailed(
      TaskAttempt attempt, Prospect prospect, String reason) {
    return new AgentEvent.PublishFailed(attempt, prospect != Prospect.NONE, reason, prospect);
  }

  private AgentEvent sealed(AgentEffect.Seal effect) {
    if (effect.late() && !isThere(effect.sentinel()))
      return new AgentEvent.OutputReplaced(effect.attempt());
    var metadata = create(effect.at(), effect.sentinel()).metadata();
    return new AgentEvent.Sealed(effect.attempt(), Sentinel.by(metadata), MadeFrom.of(metadata));
  }

  private boolean isThere(Sentinel sentinel) {
    if (sentinel.generation() == 0) return true;
    return objectStore
        .find(ObjectUrl.of(sentinel.output()))
        .filter(output -> output.generation() == sentinel.generation())
        .isPresent();
  }

  private ObjectInfo create(ObjectUrl at, Sentinel sentinel) {
    var body = ObjectStore.Content.of(codec.sentinel(sentinel));
    return objectStore.create(at, body, sentinel.metadata()).info();
  }

  /** The event for a failure. */
  private interface Failure {
    AgentEvent event(Prospect prospect, String reason);
  }

  /** Runs {@code work}; a failure that time, rights or the user can fix becomes its event. */
  private static AgentEvent answered(Supplier<AgentEvent> work, Failure failure) {
    try {
      return work.get();
    } catch (MissingPermissionException e) {
      return failure.event(Prospect.DENIED, message(e));
    } catch (UnavailableException | UncheckedIOException e) {
      return failure.event(Prospect.OPEN, message(e));
    } catch (DeniedException | InvalidInputException | IllegalArgumentException e) {
      return failure.event(Prospect.NONE, message(e));
    }
  }

  private static String message(RuntimeException e) {
    var message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
