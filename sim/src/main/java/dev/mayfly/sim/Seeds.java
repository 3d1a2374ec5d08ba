package dev.mayfly.sim;

import dev.mayfly.sim.fake.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The worlds of many seeds. Each is a world of its own, so they happen side by side. */
record Seeds(List<Run.Result> results) {
  static Seeds run(long first, int count, PlantedBug bugs) {
    return new Seeds(
        LongStream.range(first, first + count)
            .parallel()
            .mapToObj(seed -> Run.of(Scenarios.of(seed), bugs))
            .toList());
  }

  List<Run.Result> failures() {
    return results.stream().filter(r -> r.violation().isPresent()).toList();
  }

  /** How often each fault and each rare branch was seen over all seeds. */
  Map<String, Long> seen() {
    var sum = new TreeMap<String, Long>();
    for (var fault : Fault.values()) sum.put(fault.name(), 0L);
    for (var branch : Branch.values()) sum.put(branch.name(), 0L);
    for (var r : results) r.seen().forEach((what, n) -> sum.merge(what, n, Long::sum));
    return sum;
  }

  String table() {
    var text = new StringBuilder();
    var simulated =
        results.stream().map(Run.Result::simulated).reduce(Duration.ZERO, Duration::plus);
    line(text, "seeds", results.size());
    line(text, "simulated hours", simulated.toHours());
    line(text, "tasks", results.stream().mapToLong(r -> r.scenario().tasks()).sum());
    line(text, "steps", results.stream().mapToLong(Run.Result::steps).sum());
    line(text, "violations", failures().size());
    failures()
        .forEach(f ->
            text.append(
                "  seed %d: %s%n"
                    .formatted(f.scenario().seed(), f.violation().orElseThrow().getMessage())));
    seen()
        .forEach(
            (what, n) -> line(text, what.toLowerCase(java.util.Locale.ROOT).replace('_', ' '), n));
    return text.toString();
  }

  private static void line(StringBuilder text, String what, long n) {
    text.append("%-32s %12d%n".formatted(what, n));
  }

  /**
   * How soon a planted bug is found.
   *
   * @param bug its name
   * @param after the number of seeds that it took, from each of several beginnings, ascending
   * @param by the invariants that found it
   */
  record Detection(String bug, List<Integer> after, List<String> by) {
    /** For a median. */
    static final int BEGINNINGS = 3;

    /**
     * Runs the seeds from so many beginnings, round and round, each time until the bug is found.
     */
    static Detection of(PlantedBugs bug, long first, int most, int beginnings) {
      var found =
          LongStream.range(0, beginnings)
              .parallel()
              .mapToObj(i -> search(bug, first, (int) i * most / beginnings, most))
              .toList();
      return new Detection(
          bug.name(),
          found.stream().map(Found::after).sorted().toList(),
          found.stream().map(Found::by).filter(b -> !b.isEmpty()).distinct().sorted().toList());
    }

    private record Found(int after, String by) {}

    private static Found search(PlantedBugs bug, long first, int begin, int most) {
      for (var i = 0; i < most; i++) {
        var scenario = Scenarios.of(first + (begin + i) % most);
        var violation = Run.of(scenario, bug).violation();
        if (violation.isPresent()) return new Found(i + 1, violation.get().invariant());
      }
      return new Found(Integer.MAX_VALUE, "");
    }

    boolean found() {
      return after.getLast() < Integer.MAX_VALUE;
    }

    int median() {
      return after.get(after.size() / 2);
    }

    String line() {
      return "%-34s %s"
          .formatted(
              bug, found() ? "median " + median() + " seeds, by " + by : "not found: " + after);
    }
  }
}
