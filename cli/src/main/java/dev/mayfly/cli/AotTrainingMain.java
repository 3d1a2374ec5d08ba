package dev.mayfly.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs commands as people would, so that the runtime can record which classes they load.
 *
 * <p>{@code AotTrainingMain COMMANDS}: a file with one command a line, its arguments apart by
 * blanks. What the commands answer does not matter.
 */
public final class AotTrainingMain {
  private AotTrainingMain() {}

  public static void main(String[] arguments) throws IOException {
    for (var line : Files.readAllLines(Path.of(arguments[0])))
      Main.run(Main.context(), line.strip().split(" +"));
    System.exit(0);
  }
}
