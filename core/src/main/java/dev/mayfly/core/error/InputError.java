package dev.mayfly.core.error;

/**
 * One error in a user's input.
 *
 * @param path where, for example {@code job.yaml, document 2: resources.cpu}
 * @param message what was found and how to fix it, in one or two sentences
 */
public record InputError(String path, String message) {
  @Override
  public String toString() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
