package dev.mayfly.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.porttests.WorstCaseInputs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The first messages of a process, each read once in new processes like this one. Most of the first
 * one's time is class loading, whatever its content.
 */
final class ColdMessageBenchmark {
  /** The command of a new process, followed by names of messages. */
  static final String COMMAND = "first-messages";

  /** The name of an ordinary valid message. */
  static final String ORDINARY = "ordinary";

  private static final int PROCESSES = 5;

  private ColdMessageBenchmark() {}

  /** The milliseconds of each of these messages, one after another. */
  static List<String> lines(List<String> names) {
    var lines = new ArrayList<String>();
    for (var name : names) {
      var bytes = text(name).getBytes(UTF_8);
      var from = System.nanoTime();
      WorstMessageBenchmark.outcome(bytes);
      lines.add(Double.toString((System.nanoTime() - from) / 1e6));
    }
    return lines;
  }

  private static String text(String name) {
    if (name.equals(ORDINARY)) return WorstCaseInputs.JOB;
    return Optional.ofNullable(WorstCaseInputs.messages().get(name))
        .orElseThrow(() -> new IllegalArgumentException("unknown message: " + name));
  }

  /** The median time of the last of these messages in new processes like this one. */
  static double last(String... names) {
    var took = new ArrayList<Double>();
    for (var i = 0; i < PROCESSES; i++) took.add(run(names).getLast());
    took.sort(null);
    return took.get(PROCESSES / 2);
  }

  private static List<Double> run(String... names) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of(java));
    command.addAll(WorstMessageBenchmark.JVM);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), COMMAND));
    command.addAll(List.of(names));
    try {
      var process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      var told = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) throw new IllegalStateException("failed: " + command);
      return told.lines().map(Double::valueOf).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
