package dev.mayfly.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.text.Glob;
import dev.mayfly.porttests.WorstCaseInputs;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The time to reject or read messages made to be as expensive as possible. */
final class WorstMessageBenchmark {
  /** The heap and compiler settings of the deployed functions. */
  static final List<String> JVM =
      List.of("-Xmx346m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final int RUNS = 11;

  private WorstMessageBenchmark() {}

  static List<String> lines() {
    var lines = new ArrayList<String>();
    // The schemas are read once in a process, whatever the first message is.
    outcome(WorstCaseInputs.JOB.getBytes(UTF_8));
    lines.add(message(ColdMessageBenchmark.ORDINARY, WorstCaseInputs.JOB));
    WorstCaseInputs.messages().forEach((name, text) -> lines.add(message(name, text)));
    var glob = Glob.of(WorstCaseInputs.GLOB);
    lines.add(
        line(
            "a pattern of five stars",
            WorstCaseInputs.NAME.length(),
            () -> glob.matches(WorstCaseInputs.NAME) ? "matches" : "does not match"));
    return lines;
  }

  /** Times a message warm, as the first of a process, and as the second, after an ordinary one. */
  private static String message(String name, String text) {
    var bytes = text.getBytes(UTF_8);
    return line(name, bytes.length, () -> outcome(bytes))
        + String.format(
            Locale.ROOT,
            "; first of a process %.0f ms, second after an ordinary one %.0f ms",
            ColdMessageBenchmark.last(name),
            ColdMessageBenchmark.last(ColdMessageBenchmark.ORDINARY, name));
  }

  static String outcome(byte[] text) {
    try {
      return "read as " + Wire.codec().commands(text).size() + " command";
    } catch (InvalidInputException e) {
      return "refused";
    }
  }

  private static String line(String name, int bytes, Supplier<String> run) {
    var took = new ArrayList<Double>();
    var outcome = "";
    for (var i = 0; i < RUNS; i++) {
      var from = System.nanoTime();
      outcome = run.get();
      took.add((System.nanoTime() - from) / 1e6);
    }
    took.sort(null);
    return String.format(
        Locale.ROOT,
        "%s, %,d bytes: %s in %.1f ms (median of %d)",
        name,
        bytes,
        outcome,
        took.get(RUNS / 2),
        RUNS);
  }
}
