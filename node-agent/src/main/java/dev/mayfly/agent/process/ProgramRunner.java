package dev.mayfly.agent.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs the machine's own programs; kills a program and its children at a time limit. */
public final class ProgramRunner {
  private static final int CHARACTERS = 300;

  private final Map<String, String> environment;
  private final int characters;

  /**
   * @param environment of the programs; programs are found in its PATH
   */
  public ProgramRunner(Map<String, String> environment) {
    this(environment, CHARACTERS);
  }

  /**
   * @param characters how much of the end of a program's output is kept
   */
  public ProgramRunner(Map<String, String> environment, int characters) {
    this.environment = Map.copyOf(environment);
    this.characters = characters;
  }

  /** The result of a run. */
  public sealed interface Result {
    /** The machine has no such program. */
    record Missing() implements Result {}

    /** The program was killed at the time limit. */
    record TimedOut() implements Result {}

    /**
     * @param output the end of both outputs, as one line
     */
    record Ended(int code, String output) implements Result {
      public boolean ok() {
        return code == 0;
      }
    }
  }

  /** The program's file; empty if there is none. */
  public Optional<Path> find(String program) {
    var path = environment.getOrDefault("PATH", "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin");
    for (var folder : path.split(":")) {
      var file = new File(folder, program);
      if (file.isFile() && file.canExecute()) {
        return Optional.of(file.toPath());
      }
    }
    return Optional.empty();
  }

  /** Runs {@code argv}, which begins with the program's name. */
  public Result run(Duration limit, List<String> argv) throws InterruptedException {
    var program = find(argv.getFirst());
    if (program.isEmpty()) {
      return new Result.Missing();
    }
    try {
      return run(limit, program.get(), argv);
    } catch (IOException e) {
      return new Result.Ended(126, String.valueOf(e.getMessage()));
    }
  }

  private Result run(Duration limit, Path program, List<String> argv)
      throws IOException, InterruptedException {
    var output = Files.createTempFile("mayfly", ".out");
    try {
      var whole = new ArrayList<>(argv);
      whole.set(0, program.toString());
      var builder =
          new ProcessBuilder(whole)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectOutput(output.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      var process = builder.start();
      if (!ended(process, limit)) return new Result.TimedOut();
      return new Result.Ended(process.exitValue(), last(Files.readAllBytes(output)));
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Whether it ended in time; kills it otherwise, including when this thread is interrupted. */
  private static boolean ended(Process process, Duration limit) throws InterruptedException {
    var ended = false;
    try {
      ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      return ended;
    } finally {
      if (!ended) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  private String last(byte[] bytes) {
    var text = new String(bytes, StandardCharsets.UTF_8).replaceAll("[\\p{Cntrl}\\s]+", " ");
    return text.substring(Math.max(0, text.length() - characters)).strip();
  }
}
