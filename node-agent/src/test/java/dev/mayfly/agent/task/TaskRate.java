package dev.mayfly.agent.task;

import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.Disk;
import dev.mayfly.agent.os.WorkDir;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.agent.Output;
import dev.mayfly.core.agent.Publication;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prints how many no-op tasks a second two slots run, with folders, logs and a sentinel each in a
 * file store, beside {@code xargs -P2}. Not a test: run its main by hand, with the number of tasks.
 */
final class TaskRate {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRate.class);
  private static final int SLOTS = 2;

  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Objects objects = ObjectStores.of(Map.of());
  private final Publication publication = new Publication(objects, Wire.codec(), "bench");

  private TaskRate() {}

  public static void main(String[] arguments) throws Exception {
    int tasks = Integer.parseInt(arguments[0]);
    for (int round = 0; round < 4; round++) {
      double xargs = xargs(tasks);
      double agent = new TaskRate().agent(tasks, "round" + round);
      LOG.info(
          "tasks={} agent={}/s xargs={}/s ratio={}",
          tasks,
          Math.round(agent),
          Math.round(xargs),
          Math.round(agent / xargs * 100) / 100.0);
    }
  }

  private static double xargs(int tasks) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    new ProcessBuilder("sh", "-c", "seq " + tasks + " | xargs -P2 -n1 true").start().waitFor();
    return tasks * 1e9 / (System.nanoTime() - begin);
  }

  private double agent(int tasks, String name) throws Exception {
    var root = Files.createTempDirectory("rate");
    try (var workDir = WorkDir.open(root.resolve("work"))) {
      var pace = new Logs.Pace(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 26);
      var runner =
          new Tasks(
              new Workshop(
                  workDir,
                  new Disk(workDir),
                  CompletableFuture.completedFuture(Workshop.Tools.find())),
              Map.of("PATH", "/usr/bin:/bin"),
              Duration.ofSeconds(10),
              objects,
              reference -> "",
              new Logs(objects, pace, threads),
              new Tasks.Outward(threads, events::add));
      var out = "file://" + root.resolve("out") + "/" + name;
      long begin = System.nanoTime();
      for (int i = 0, ended = 0; ended < tasks; i++) {
        if (i < tasks) {
          start(runner, i);
        }
        if (i >= SLOTS - 1) {
          ended += end(runner, out);
        }
      }
      return tasks * 1e9 / (System.nanoTime() - begin);
    }
  }

  private static void start(Tasks runner, int index) {
    var attempt = new Attempt(new LeaseRef("bench", 0, 1), index);
    var item = TaskItem.counted(index);
    runner.start(
        new AgentEffect.Start(attempt, Sheets.sheet(Optional.empty(), "true"), item, List.of()));
  }

  private int end(Tasks runner, String out) throws InterruptedException {
    while (true) {
      if (events.take() instanceof AgentEvent.Exited exited) {
        var attempt = exited.attempt();
        threads.execute(() -> seal(runner, attempt, out + "/" + attempt.index()));
        return 1;
      }
    }
  }

  private void seal(Tasks runner, Attempt attempt, String url) {
    var sentinel = Output.none(attempt, url).sentinel("bench", Instant.EPOCH);
    var seal = new AgentEffect.Seal(attempt, Url.of(url + ".COMPLETE"), sentinel);
    events.add(publication.seal(seal));
    var unused = runner.drop(attempt);
  }
}
