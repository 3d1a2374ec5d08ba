package dev.mayfly.agent.task;

import dev.mayfly.agent.checkpoint.CheckpointMaker;
import dev.mayfly.agent.checkpoint.CheckpointStore;
import dev.mayfly.agent.checkpoint.CheckpointSync;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.TaskFolder;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.task.Computation;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.TaskTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of the attempts on this machine. In a gang all hosts get the newest checkpoint,
 * and rank 0's folder is stored.
 */
final class TaskCheckpoints {
  private static final Logger LOG = LoggerFactory.getLogger(TaskCheckpoints.class);

  private final ObjectStore objectStore;
  private final Executor threads;
  private final Consumer<AgentEvent> events;

  TaskCheckpoints(ObjectStore objectStore, TaskExecutor.ExecutionContext executionContext) {
    this.objectStore = objectStore;
    threads = executionContext.threads();
    events = executionContext.events();
  }

  /** Fills the attempt's folder with the newest complete checkpoint, if its job has any. */
  void restore(AttemptState attemptState, AgentEffect.Start start, AttemptDir dir)
      throws IOException {
    var store = store(start);
    if (store.isEmpty()) return;
    var restored = store.get().restore(dir.checkpoint());
    var jobInfo = start.jobInfo();
    var made = Computation.of(jobInfo, start.item(), Optional.empty());
    var maker = new CheckpointMaker(Optional.of(jobInfo.spec().address()), made);
    var attempt = new CheckpointSync.Attempt(jobInfo.job(), start.attempt().name(), maker);
    var folder = new TaskFolder(dir::checkpoints);
    var sync =
        new CheckpointSync(store.get(), folder, attempt, restored, dir::say, System::nanoTime);
    attemptState.setCheckpoint(sync);
    sync.continued()
        .ifPresent(from -> events.accept(new AgentEvent.CheckpointRestored(start.attempt(), from)));
  }

  private Optional<CheckpointStore> store(AgentEffect.Start start) {
    var jobInfo = start.jobInfo();
    var url = TaskTemplate.checkpointUrl(jobInfo.spec(), jobInfo.job(), start.item());
    var own = BucketLayout.of(jobInfo.bucket()).ownPrefix();
    if (url.filter(place -> place.startsWith(own)).isPresent())
      throw new InvalidInputException(
          "checkpoint", url.get() + " is where Mayfly keeps its own objects");
    return url.map(place -> new CheckpointStore(objectStore, ObjectUrl.of(place)));
  }

  /** Before the command starts: only one host of a gang stores checkpoints. */
  static void begin(AttemptState attemptState, AgentEffect.Start start) {
    if (!start.peers().getOrDefault("MAYFLY_RANK", "0").equals("0")) attemptState.dropCheckpoint();
  }

  /** Stores a running attempt's checkpoint if it is due; returns at once. */
  void tick(AttemptState attemptState) {
    attemptState
        .checkpoint()
        .ifPresent(sync ->
            threads.execute(() -> {
              sync.tick();
              report(attemptState, sync);
            }));
  }

  private void report(AttemptState attemptState, CheckpointSync sync) {
    sync.takeKept()
        .ifPresent(
            until -> events.accept(new AgentEvent.CheckpointStored(attemptState.attempt(), until)));
  }

  /** Says in the attempt's log what its last checkpoint will lack. Call it before the log ends. */
  static void look(AttemptState attemptState) {
    attemptState.checkpoint().ifPresent(CheckpointSync::look);
  }

  /** Stores the last checkpoint of an attempt without processes, as far as the time allows. */
  void finish(AttemptState attemptState, Duration limit) {
    var sync = attemptState.checkpoint();
    if (sync.isEmpty()) return;
    var stored =
        CompletableFuture.runAsync(sync.get()::finish, threads)
            .thenApply(_ -> true)
            .exceptionally(mistake -> {
              LOG.error("last checkpoint not stored attempt={}", attemptState.id(), mistake);
              return true;
            })
            .completeOnTimeout(false, limit.toMillis(), TimeUnit.MILLISECONDS)
            .join();
    report(attemptState, sync.get());
    if (stored) return;
    LOG.warn("last checkpoint not stored in time attempt={} limit={}", attemptState.id(), limit);
    attemptState
        .dir()
        .ifPresent(dir ->
            dir.say(
                "the last checkpoint was not stored: its upload takes longer than "
                    + limit.toSeconds()
                    + " s"));
  }
}
