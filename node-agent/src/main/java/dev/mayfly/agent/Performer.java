package dev.mayfly.agent;

import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.task.Tasks;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.agent.Publication;
import dev.mayfly.core.error.Invalid;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins what the loop asks for; nothing here waits on the loop's thread. */
final class Performer implements Consumer<AgentEffect> {
  private static final Logger LOG = LoggerFactory.getLogger(Performer.class);

  private final SyncCalls calls;
  private final Tasks tasks;
  private final Logs logs;
  private final Publication publication;
  private final Ending ending;

  /** A sentinel waits for a log that can't be sent no longer than this. */
  private static final int LOG_SECONDS = 10;

  private final Executor threads;
  private final Consumer<AgentEvent> events;

  Performer(
      SyncCalls calls,
      Tasks tasks,
      Logs logs,
      Publication publication,
      Ending ending,
      Tasks.Outward outward) {
    this.calls = calls;
    this.tasks = tasks;
    this.logs = logs;
    this.publication = publication;
    this.ending = ending;
    this.threads = outward.threads();
    this.events = outward.events();
  }

  @Override
  public void accept(AgentEffect effect) {
    switch (effect) {
      case AgentEffect.Sync sync -> calls.send(sync);
      case AgentEffect.WakeAt alarm -> throw new IllegalArgumentException("the loop's own");
      case AgentEffect.Fetch fetch ->
          later(
              () -> publication.fetch(fetch),
              why -> new AgentEvent.FetchFailed(fetch.job(), fetch.chunk(), why));
      case AgentEffect.Survey survey ->
          later(
              () -> publication.survey(survey),
              why -> new AgentEvent.SurveyFailed(survey.lease(), why));
      case AgentEffect.Prepare prepare -> tasks.prepare(prepare);
      case AgentEffect.Start start -> tasks.start(start);
      case AgentEffect.Kill kill -> tasks.kill(kill);
      case AgentEffect.Upload upload -> later(() -> upload(upload), broken(upload.attempt()));
      case AgentEffect.Seal seal -> later(() -> seal(seal), broken(seal.attempt()));
      case AgentEffect.FlushLogs flush -> flush();
      case AgentEffect.DropWork drop -> drop(drop);
      case AgentEffect.Follow follow -> logs.follow(follow.jobs());
      case AgentEffect.PowerOff off -> ending.end(Ending.POWER_OFF, off.reason());
      case AgentEffect.Quit quit -> ending.end(Ending.DONE, quit.reason());
    }
  }

  private void flush() {
    var unused = logs.flush().thenRun(() -> events.accept(new AgentEvent.LogsFlushed()));
  }

  private void drop(AgentEffect.DropWork drop) {
    var unused = tasks.drop(drop.attempt());
  }

  private void later(Supplier<AgentEvent> work, Function<String, AgentEvent> failed) {
    threads.execute(() -> events.accept(answer(work, failed)));
  }

  /** A mistake of ours in the work for one attempt fails that work, and not the whole machine's. */
  private static AgentEvent answer(Supplier<AgentEvent> work, Function<String, AgentEvent> failed) {
    try {
      return work.get();
    } catch (RuntimeException mistake) {
      LOG.error("a mistake in Mayfly; the agent continues", mistake);
      return failed.apply("a mistake in Mayfly (details in the agent's log): " + mistake);
    }
  }

  private static Function<String, AgentEvent> broken(Attempt attempt) {
    return why -> new AgentEvent.PublishBroken(attempt, why);
  }

  /** A sentinel says that all is there, so that the log goes first, unless it cannot be sent. */
  private AgentEvent seal(AgentEffect.Seal seal) {
    tasks
        .logged(seal.attempt())
        .completeOnTimeout(null, LOG_SECONDS, TimeUnit.SECONDS)
        .exceptionally(lost -> {
          LOG.error("log not sent attempt={}", seal.attempt(), lost);
          return null;
        })
        .join();
    return publication.seal(seal);
  }

  private AgentEvent upload(AgentEffect.Upload upload) {
    try {
      return publication.upload(upload, tasks.left(upload.attempt()));
    } catch (IOException e) {
      return new AgentEvent.PublishFailed(
          upload.attempt(), true, "the output cannot be read: " + e.getMessage());
    } catch (Invalid e) {
      return new AgentEvent.PublishFailed(upload.attempt(), false, e.getMessage());
    }
  }
}
