package dev.mayfly.cli.client;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.SubmitterCredentials;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tokens of a task that may submit jobs, from {@code $MAYFLY_TOKEN_FILE}. The file is read for each
 * call, because the agent replaces it.
 */
public final class TaskTokenSource implements GcpProject.TokenSource {
  /** The variable with the file's path. */
  public static final String FILE = "MAYFLY_TOKEN_FILE";

  private final Path file;

  public TaskTokenSource(Path file) {
    this.file = file;
  }

  @Override
  public String accessToken() {
    return read().accessToken();
  }

  @Override
  public String identityToken() {
    return read().identityToken();
  }

  private SubmitterCredentials read() {
    try {
      return Wire.shared().read(SubmitterCredentials.class, Files.readAllBytes(file));
    } catch (IOException | InvalidInputException e) {
      throw new CommandException(
          CommandExitCode.DENIED,
          "%s names %s, which holds no tokens (%s): they last as long as the task; unset it elsewhere"
              .formatted(FILE, file, e.getMessage()),
          e);
    }
  }
}
