package dev.mayfly.core.port;

/**
 * Values that nobody keeps: they are read at each task's start and go into its environment, or
 * before an image is pulled and go into the engine's login.
 */
public interface Secrets {
  /**
   * The value of {@code name/version} or {@code name/latest} now; {@code
   * projects/P/secrets/name/versions/latest} is one of another project. A version that was added is
   * seen by the next call for {@code latest}. A repeat changes nothing.
   *
   * <p>Throws {@link dev.mayfly.core.error.InvalidInputException} for a secret or version that is
   * not there, is switched off or is no text, {@link dev.mayfly.core.error.DeniedException} without
   * the right to read it, and {@link dev.mayfly.core.error.UnavailableException}. No message holds
   * a value.
   */
  String value(String reference);
}
