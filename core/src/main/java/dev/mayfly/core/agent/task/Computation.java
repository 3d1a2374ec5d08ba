package dev.mayfly.core.agent.task;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.text.TaskTemplate;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a task's output is made from. Two attempts with equal values compute the same, so that one
 * may take the other's output for its own.
 */
public final class Computation {
  private Computation() {}

  /**
   * The hash leaves out secrets, which may be rotated while a job runs, and where an image is
   * stored, because mirrors hold the same one.
   *
   * @param input the generation of the task's input, if it has one that can be known
   */
  public static MadeFrom of(JobInfo jobInfo, TaskItem item, Optional<Long> input) {
    var code = jobInfo.spec().run().code().map(TaskTemplate::stem);
    return new MadeFrom(input, code, Optional.of(hash(jobInfo, item)));
  }

  private static String hash(JobInfo jobInfo, TaskItem item) {
    var run = jobInfo.spec().run();
    var text = new StringBuilder();
    run.command().forEach(word -> add(text, word));
    add(text, run.image().map(Computation::content).orElse(""));
    add(text, run.taskEnvironment().setup().map(Object::toString).orElse(""));
    var env = new TreeMap<>(jobInfo.env());
    env.putAll(run.env());
    add(text, env);
    add(text, item.input().orElse(""));
    add(text, new TreeMap<>(item.vars()));
    return Sha256.of(text.toString());
  }

  /** The digest, or the name and tag within the registry. */
  private static String content(String image) {
    return image.substring(Math.max(image.lastIndexOf('@'), image.lastIndexOf('/')) + 1);
  }

  private static void add(StringBuilder text, Map<String, String> sorted) {
    add(text, Integer.toString(sorted.size()));
    sorted.forEach((name, value) -> {
      add(text, name);
      add(text, value);
    });
  }

  /** Prefixed by its length, so that different contents never give the same text. */
  private static void add(StringBuilder text, String value) {
    text.append(value.length()).append(':').append(value);
  }
}
