package dev.mayfly.cli.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A command that names a file beside the job's file, though no code goes along: the task would not
 * find it.
 */
public final class UnsentFiles {
  private UnsentFiles() {}

  /**
   * A warning for the first such file.
   *
   * @param folder of the job's file
   */
  public static Optional<InputError> of(JobSpec job, Path folder) {
    // An image may have a file of that name.
    if (job.run().code().isPresent() || job.run().image().isPresent()) return Optional.empty();
    return job.run().command().stream()
        .filter(word -> isFile(folder, word))
        .findFirst()
        .map(word ->
            new InputError(
                "command",
                "names %s, a file beside this one, and the job has no code: tasks do not find it; write code: . to send this folder along"
                    .formatted(word)));
  }

  private static boolean isFile(Path folder, String word) {
    try {
      return !word.isBlank()
          && !Path.of(word).isAbsolute()
          && Files.isRegularFile(folder.resolve(word));
    } catch (InvalidPathException noPath) {
      return false;
    }
  }
}
