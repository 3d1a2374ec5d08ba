package dev.mayfly.agent;

import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.task.TaskExecutor;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.ObjectEffectExecutor;
import dev.mayfly.core.error.InvalidInputException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the effects that the loop returns. Never blocks the loop's thread. */
final class EffectExecutor implements Consumer<AgentEffect> {
  private static final Logger LOG = LoggerFactory.getLogger(EffectExecutor.class);

  private final SyncClient calls;
  private final TaskExecutor taskExecutor;
  private final LogUploader logUploader;
  private final ObjectEffectExecutor objectEffectExecutor;
  private final AgentExit agentExit;

  /** How long creating a sentinel waits for the upload of the log. */
  private static final int LOG_SECONDS = 10;

  private final Executor threads;
  private final Consumer<AgentEvent> events;

  EffectExecutor(
      SyncClient calls,
      TaskExecutor taskExecutor,
      LogUploader logUploader,
      ObjectEffectExecutor objectEffectExecutor,
      AgentExit agentExit,
      TaskExecutor.ExecutionContext executionContext) {
    this.calls = calls;
    this.taskExecutor = taskExecutor;
    this.logUploader = logUploader;
    this.objectEffectExecutor = objectEffectExecutor;
    this.agentExit = agentExit;
    this.threads = executionContext.threads();
    this.events = executionContext.events();
  }

  @Override
  public void accept(AgentEffect effect) {
    switch (effect) {
      case AgentEffect.Sync sync -> calls.send(sync);
      case AgentEffect.WakeAt alarm -> throw new IllegalArgumentException("handled by the loop");
      case AgentEffect.FetchTaskList fetchTaskList ->
          runAsync(
              () -> objectEffectExecutor.fetch(fetchTaskList),
              why ->
                  new AgentEvent.TaskListFetchFailed(
                      fetchTaskList.job(), fetchTaskList.chunk(), why));
      case AgentEffect.Survey survey ->
          runAsync(
              () -> objectEffectExecutor.survey(survey),
              why -> new AgentEvent.SurveyFailed(survey.lease(), why));
      case AgentEffect.Prepare prepare -> taskExecutor.prepare(prepare);
      case AgentEffect.Start start -> taskExecutor.start(start);
      case AgentEffect.Kill kill -> taskExecutor.kill(kill);
      case AgentEffect.Upload upload -> runAsync(() -> upload(upload), crashed(upload.attempt()));
      case AgentEffect.Seal seal -> runAsync(() -> seal(seal), crashed(seal.attempt()));
      case AgentEffect.SealTogether together ->
          runAsync(() -> sealTogether(together), why -> crashed(together, why));
      case AgentEffect.Discard discard ->
          runAsync(() -> objectEffectExecutor.discard(discard), crashed(discard.attempt()));
      case AgentEffect.FlushLogs flush -> flush();
      case AgentEffect.DeleteWorkDir drop -> drop(drop);
      case AgentEffect.FollowLogs followLogs -> logUploader.follow(followLogs.jobs());
      case AgentEffect.PowerOff off -> end(AgentExit.POWER_OFF, off.reason());
      case AgentEffect.Quit quit -> end(AgentExit.DONE, quit.reason());
    }
  }

  /** Nothing waits for a task any more. */
  private void end(int code, String reason) {
    var unused = taskExecutor.endRunners().thenRun(() -> agentExit.end(code, reason));
  }

  private void flush() {
    var unused = logUploader.flush().thenRun(() -> events.accept(new AgentEvent.LogsFlushed()));
  }

  private void drop(AgentEffect.DeleteWorkDir drop) {
    var unused = taskExecutor.deleteWorkDir(drop.attempt());
  }

  private void runAsync(Supplier<AgentEvent> work, Function<String, AgentEvent> failed) {
    threads.execute(() -> events.accept(answer(work, failed)));
  }

  /** A bug in the work for one attempt fails that work only, not the whole machine. */
  private static AgentEvent answer(Supplier<AgentEvent> work, Function<String, AgentEvent> failed) {
    try {
      return work.get();
    } catch (RuntimeException mistake) {
      LOG.error("a bug in Mayfly; the agent continues", mistake);
      return failed.apply("a bug in Mayfly (details in the agent's log): " + mistake);
    }
  }

  private static Function<String, AgentEvent> crashed(TaskAttempt taskAttempt) {
    return why -> new AgentEvent.PublishCrashed(taskAttempt, why);
  }

  /**
   * Uploads the log before the sentinel, which promises that everything is there; on failure,
   * without.
   */
  private AgentEvent seal(AgentEffect.Seal seal) {
    uploadLogs(List.of(seal));
    return objectEffectExecutor.seal(seal);
  }

  private AgentEvent sealTogether(AgentEffect.SealTogether together) {
    uploadLogs(together.seals());
    return objectEffectExecutor.sealTogether(together);
  }

  private void uploadLogs(List<AgentEffect.Seal> seals) {
    var logs = seals.stream().map(AgentEffect.Seal::attempt).map(taskExecutor::logUploaded);
    CompletableFuture.allOf(logs.toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, LOG_SECONDS, TimeUnit.SECONDS)
        .exceptionally(lost -> {
          LOG.error("log not sent attempt={}", seals.getFirst().attempt(), lost);
          return null;
        })
        .join();
  }

  private static AgentEvent crashed(AgentEffect.SealTogether together, String why) {
    return new AgentEvent.SealedTogether(
        together.seals().stream()
            .<AgentEvent.AttemptEvent>map(
                seal -> new AgentEvent.PublishCrashed(seal.attempt(), why))
            .toList());
  }

  private AgentEvent upload(AgentEffect.Upload upload) {
    try {
      return objectEffectExecutor.upload(upload, taskExecutor.producedOutput(upload.attempt()));
    } catch (IOException e) {
      return new AgentEvent.PublishFailed(
          upload.attempt(), true, "the output cannot be read: " + e.getMessage());
    } catch (InvalidInputException e) {
      return new AgentEvent.PublishFailed(upload.attempt(), false, e.getMessage());
    }
  }
}
