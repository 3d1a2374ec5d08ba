package dev.mayfly.agent.task;

import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.ObjectEffectExecutor;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prints how many no-op tasks per second two slots run, with folders, logs and a sentinel each in a
 * file store, as processes and in programs that stay, next to {@code xargs -P2}. Not a test: run
 * its main by hand, with the number of tasks.
 */
final class TaskRate {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRate.class);
  private static final int SLOTS = 2;
  private static final JobInfo PLAIN = TestJobs.jobInfo(Optional.empty(), "true");

  /** In Python, as most programs that stay. */
  private static final String STAYS =
      """
      import json
      answers = open(4, "w")
      for line in open(3):
          task = json.loads(line)["task"]
          print(json.dumps({"task": task, "exitCode": 0}), file=answers, flush=True)
      """;

  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ObjectStore objectStore = ObjectStores.of(Map.of());
  private final ObjectEffectExecutor objectEffectExecutor =
      new ObjectEffectExecutor(objectStore, Wire.codec(), "bench");

  private TaskRate() {}

  public static void main(String[] arguments) throws Exception {
    int tasks = Integer.parseInt(arguments[0]);
    for (int round = 0; round < 4; round++) {
      double xargs = xargs(tasks);
      double agent = new TaskRate().agent(tasks, PLAIN, "round" + round);
      double warm = new TaskRate().agent(tasks, warm(), "warm" + round);
      LOG.info(
          "tasks={} agent={}/s runner={}/s xargs={}/s ratio={} runner ratio={}",
          tasks,
          Math.round(agent),
          Math.round(warm),
          Math.round(xargs),
          Math.round(agent / xargs * 100) / 100.0,
          Math.round(warm / xargs * 100) / 100.0);
    }
  }

  private static double xargs(int tasks) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    new ProcessBuilder("sh", "-c", "seq " + tasks + " | xargs -P2 -n1 true").start().waitFor();
    return tasks * 1e9 / (System.nanoTime() - begin);
  }

  private static JobInfo warm() {
    var rules = new TaskEnvironment.Runner(Optional.empty(), Optional.empty());
    return TestJobs.with(
        TaskEnvironment.NONE.with(rules),
        TestJobs.jobInfo(Optional.empty(), "python3", "-c", STAYS));
  }

  private double agent(int tasks, JobInfo jobInfo, String name) throws Exception {
    var root = Files.createTempDirectory("rate");
    try (var workDir = WorkDir.open(root.resolve("work"))) {
      var uploadPolicy =
          new LogUploader.UploadPolicy(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 26);
      var runner =
          new TaskExecutor(
              TaskContexts.of(workDir, TaskContext.Tools.find()),
              Map.of("PATH", "/usr/bin:/bin"),
              Duration.ofSeconds(10),
              objectStore,
              reference -> "",
              new LogUploader(objectStore, uploadPolicy, threads),
              new TaskExecutor.ExecutionContext(threads, InstantSource.system(), events::add));
      var out = "file://" + root.resolve("out") + "/" + name;
      long begin = System.nanoTime();
      for (int i = 0, ended = 0; ended < tasks; i++) {
        if (i < tasks) {
          start(runner, jobInfo, i);
        }
        if (i >= SLOTS - 1) {
          ended += end(runner, out);
        }
      }
      var rate = tasks * 1e9 / (System.nanoTime() - begin);
      runner.endRunners().join();
      return rate;
    }
  }

  private static void start(TaskExecutor runner, JobInfo jobInfo, int index) {
    var taskAttempt = new TaskAttempt(new LeaseRef("bench", 0, 1), index);
    var item = TaskItem.counted(index);
    runner.start(new AgentEffect.Start(taskAttempt, jobInfo, item, List.of()));
  }

  private int end(TaskExecutor runner, String out) throws InterruptedException {
    while (true) {
      if (events.take() instanceof AgentEvent.Exited exited) {
        var taskAttempt = exited.attempt();
        threads.execute(() -> seal(runner, taskAttempt, out + "/" + taskAttempt.index()));
        return 1;
      }
    }
  }

  private void seal(TaskExecutor runner, TaskAttempt taskAttempt, String url) {
    var sentinel =
        StoredOutput.none(taskAttempt, url, MadeFrom.UNKNOWN).sentinel("bench", Instant.EPOCH);
    var seal = new AgentEffect.Seal(taskAttempt, ObjectUrl.of(url + ".COMPLETE"), sentinel, false);
    events.add(objectEffectExecutor.seal(seal));
    var unused = runner.deleteWorkDir(taskAttempt);
  }
}
