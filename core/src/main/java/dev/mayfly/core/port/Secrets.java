package dev.mayfly.core.port;

/**
 * Secret values, which are never stored. They are read at each task's start for its environment, or
 * before an image pull for the engine's login.
 */
public interface Secrets {
  /**
   * The current value of {@code name/version} or {@code name/latest}; {@code
   * projects/P/secrets/name/versions/latest} names a secret of another project. The next call for
   * {@code latest} sees a version just added. A repeat changes nothing.
   *
   * <p>Throws {@link dev.mayfly.core.error.InvalidInputException} for a secret or version that does
   * not exist, is disabled or is not text, {@link dev.mayfly.core.error.DeniedException} without
   * the right to read it, and {@link dev.mayfly.core.error.UnavailableException}. No message
   * contains a value.
   */
  String value(String reference);
}
