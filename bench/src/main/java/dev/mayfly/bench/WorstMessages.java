package dev.mayfly.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.job.Glob;
import dev.mayfly.porttests.WorstCases;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** How long it takes to refuse, or to read, messages that were made to cost their reader much. */
final class WorstMessages {
  private static final int RUNS = 11;

  private WorstMessages() {}

  static List<String> lines() {
    var lines = new ArrayList<String>();
    // The schemas are read once in a process, whatever the first message is.
    outcome(WorstCases.JOB.getBytes(UTF_8));
    WorstCases.messages().forEach((name, text) -> lines.add(message(name, text.getBytes(UTF_8))));
    var glob = Glob.of(WorstCases.GLOB);
    lines.add(
        line(
            "a pattern of five stars",
            WorstCases.NAME.length(),
            () -> glob.matches(WorstCases.NAME) ? "matches" : "does not match"));
    return lines;
  }

  private static String message(String name, byte[] text) {
    return line(name, text.length, () -> outcome(text));
  }

  private static String outcome(byte[] text) {
    try {
      return "read as " + Wire.codec().commands(text).size() + " command";
    } catch (Invalid e) {
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
    var first = took.getFirst();
    took.sort(null);
    return String.format(
        Locale.ROOT,
        "%s, %,d bytes: %s in %.1f ms (median of %d), the first time in %.1f ms",
        name,
        bytes,
        outcome,
        took.get(RUNS / 2),
        RUNS,
        first);
  }
}
