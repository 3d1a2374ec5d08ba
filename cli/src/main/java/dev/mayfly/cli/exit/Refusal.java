package dev.mayfly.cli.exit;

/** Ends a command with a message for the user: what, which value, and the remedy. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Exit exit;

  public Refusal(Exit exit, String message) {
    super(message);
    this.exit = exit;
  }

  public Refusal(Exit exit, String message, Throwable cause) {
    super(message, cause);
    this.exit = exit;
  }

  public Exit exit() {
    return exit;
  }

  public static Refusal notFound(String message) {
    return new Refusal(Exit.NOT_FOUND, message);
  }
}
