package dev.mayfly.core.text;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a job's command uses the input of its task, as a file or by its URL. What a program that
 * the command starts does with its variables is not seen.
 */
public final class InputUse {
  /** Each names the input, or a part of it. */
  private static final Set<String> OF_INPUT = Set.of("input", "inputFile", "stem", "file");

  private static final Pattern FILE = variable("MAYFLY_INPUT");
  private static final Pattern URL = variable("MAYFLY_INPUT_URL");

  private InputUse() {}

  private static Pattern variable(String name) {
    return Pattern.compile("(?<![A-Za-z0-9_])" + name + "(?![A-Za-z0-9_])");
  }

  /**
   * Whether each task's input is downloaded before its command begins: the job says so, it is
   * gathered, or a word of the command has {@code {inputFile}} or {@code MAYFLY_INPUT}.
   */
  public static boolean isDownloaded(JobSpec job) {
    return job.data().inputsDownloaded()
        || job.tasks() instanceof TaskSource.Gather
        || job.run().command().stream()
            .anyMatch(word ->
                TaskTemplate.placeholders(word).contains("inputFile") || FILE.matcher(word).find());
  }

  /** A warning, with the job's field, if the job has inputs and its command names none of them. */
  public static Optional<InputError> unused(JobSpec job) {
    if (!(job.tasks() instanceof TaskSource.Listed) || isDownloaded(job) || namesInput(job))
      return Optional.empty();
    if (job.run().taskEnvironment().runner().isPresent())
      return Optional.of(
          new InputError(
              "tasks",
              "are given to a runner, and no input is downloaded for it; write tasks.downloaded: true, unless its program reads the URL in MAYFLY_INPUT_URL"));
    return Optional.of(
        new InputError(
            "command",
            "names no input: nothing is downloaded, and $MAYFLY_INPUT is the path of a file that is not there; write {inputFile} or \"$MAYFLY_INPUT\" for the file, {input} or \"$MAYFLY_INPUT_URL\" for its URL, or tasks.downloaded: true for a program that reads MAYFLY_INPUT itself"));
  }

  private static boolean namesInput(JobSpec job) {
    return job.run().command().stream()
        .anyMatch(word ->
            URL.matcher(word).find()
                || TaskTemplate.placeholders(word).stream().anyMatch(OF_INPUT::contains));
  }
}
