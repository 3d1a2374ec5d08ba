package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.text.InputUse;
import dev.mayfly.core.text.TaskTemplate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The command of one attempt with its {placeholders} filled, and its environment.
 *
 * @param env added to the executor's own; a job's value overrides the cluster's, Mayfly's overrides
 *     both
 */
public record TaskCommand(List<String> argv, Map<String, String> env) {
  public TaskCommand {
    argv = List.copyOf(argv);
    env = Map.copyOf(env);
  }

  /**
   * @param inputFile where the input is or would be downloaded to
   * @param outputFile where the command leaves its output
   */
  public static TaskCommand of(AgentEffect.Start start, String inputFile, String outputFile) {
    var jobInfo = start.jobInfo();
    var values = TaskTemplate.placeholderValues(jobInfo.job(), start.item());
    values.put("input", start.item().input().orElse(""));
    values.put("output", output(jobInfo, start.item()));
    values.put("inputFile", inputFile);
    values.put("outputFile", outputFile);
    values.put("attempt", start.attempt().name());
    var argv =
        jobInfo.spec().run().command().stream()
            .map(word -> TaskTemplate.fill(word, values))
            .toList();
    return new TaskCommand(argv, env(start, values));
  }

  /** Whether the agent downloads the task's input. */
  public static boolean wantsInput(JobSpec spec, TaskItem item) {
    return item.input().isPresent() && InputUse.isDownloaded(spec);
  }

  /** The URL of the task's output. */
  public static String output(JobInfo jobInfo, TaskItem item) {
    return TaskTemplate.outputUrl(jobInfo.spec(), jobInfo.bucket(), jobInfo.job(), item);
  }

  private static Map<String, String> env(AgentEffect.Start start, Map<String, String> values) {
    var env = new LinkedHashMap<String, String>(start.jobInfo().env());
    env.putAll(start.jobInfo().spec().run().env());
    env.putAll(start.peers());
    env.putAll(start.item().variables());
    env.put("MAYFLY_JOB", start.jobInfo().job());
    env.put("MAYFLY_JOB_NAME", start.jobInfo().spec().name());
    env.put("MAYFLY_INDEX", values.get("index"));
    env.put("MAYFLY_TASKS", Long.toString(start.jobInfo().tasks()));
    env.put("MAYFLY_ATTEMPT", values.get("attempt"));
    env.put("MAYFLY_INPUT", values.get("inputFile"));
    env.put("MAYFLY_OUTPUT", values.get("outputFile"));
    env.put("MAYFLY_INPUT_URL", values.get("input"));
    env.put("MAYFLY_OUTPUT_URL", values.get("output"));
    var timeout = start.jobInfo().spec().run().timeout();
    if (timeout.isPositive())
      env.put("MAYFLY_TIMEOUT", Long.toString(Math.max(1, timeout.toSeconds())));
    if (start.jobInfo().spec().resources().needsGpu()) env.putAll(devices(start));
    return env;
  }

  /**
   * A container sees only its own devices, counted from 0. The engine itself sets
   * NVIDIA_VISIBLE_DEVICES to their numbers on the host; another value would give it others.
   */
  private static Map<String, String> devices(AgentEffect.Start start) {
    if (start.jobInfo().spec().run().image().isPresent())
      return Map.of("CUDA_VISIBLE_DEVICES", numbers(IntStream.range(0, start.gpus().size())));
    var devices = numbers(start.gpus().stream().mapToInt(gpu -> gpu));
    return Map.of("CUDA_VISIBLE_DEVICES", devices, "NVIDIA_VISIBLE_DEVICES", devices);
  }

  private static String numbers(IntStream devices) {
    return devices.mapToObj(Integer::toString).collect(Collectors.joining(","));
  }
}
