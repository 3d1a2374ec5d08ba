package dev.mayfly.core.error;

/**
 * One thing that is wrong in what a user wrote.
 *
 * @param path where, for example {@code job.yaml, document 2: resources.cpu}
 * @param message what was found and how to mend it, one sentence or two
 */
public record InputError(String path, String message) {
  @Override
  public String toString() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
