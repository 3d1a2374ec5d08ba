package dev.mayfly.cli.error;

/** Ends a command with a message for the user: the problem, the value and the remedy. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final CommandExitCode commandExitCode;

  public CommandException(CommandExitCode commandExitCode, String message) {
    super(message);
    this.commandExitCode = commandExitCode;
  }

  public CommandException(CommandExitCode commandExitCode, String message, Throwable cause) {
    super(message, cause);
    this.commandExitCode = commandExitCode;
  }

  public CommandExitCode exitCode() {
    return commandExitCode;
  }

  public static CommandException input(String message) {
    return new CommandException(CommandExitCode.INPUT, message);
  }

  public static CommandException input(String message, Throwable cause) {
    return new CommandException(CommandExitCode.INPUT, message, cause);
  }

  public static CommandException notFound(String message) {
    return new CommandException(CommandExitCode.NOT_FOUND, message);
  }
}
