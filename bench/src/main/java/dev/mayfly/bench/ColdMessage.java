package dev.mayfly.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.porttests.WorstCases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The first messages of a process: {@code java … ColdMessage NAME...} reads one after another, each
 * once, and prints the milliseconds of each. Most of the first is class loading, whatever it says.
 */
public final class ColdMessage {
  /** The name of an ordinary valid message. */
  static final String ORDINARY = "ordinary";

  private static final int PROCESSES = 5;

  private ColdMessage() {}

  public static void main(String[] names) {
    for (var name : names) {
      var bytes = text(name).getBytes(UTF_8);
      var from = System.nanoTime();
      WorstMessages.outcome(bytes);
      System.out.println((System.nanoTime() - from) / 1e6);
    }
  }

  private static String text(String name) {
    if (name.equals(ORDINARY)) return WorstCases.JOB;
    return Optional.ofNullable(WorstCases.messages().get(name))
        .orElseThrow(() -> new IllegalArgumentException("there is no message: " + name));
  }

  /** How long the last of these messages takes in new processes like this one: the median. */
  static double last(String... names) {
    var took = new ArrayList<Double>();
    for (var i = 0; i < PROCESSES; i++) took.add(run(names).getLast());
    took.sort(null);
    return took.get(PROCESSES / 2);
  }

  private static List<Double> run(String... names) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of(java));
    command.addAll(WorstMessages.JVM);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ColdMessage.class.getName()));
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
