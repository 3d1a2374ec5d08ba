package dev.mayfly.sim;

import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.mutant.KnownMutant;
import dev.mayfly.sim.observation.CoveragePoint;
import dev.mayfly.sim.scenario.ScenarioGenerator;
import dev.mayfly.sim.world.Mutant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** The results of many seeds. Worlds are independent and run in parallel. */
public record SeedRuns(List<SimulationRun.Result> results) {
  static SeedRuns run(long first, int count, Mutant bugs) {
    return run(first, count, bugs, _ -> {});
  }

  /**
   * @param ended called with each world's result as soon as it has ended, from several threads
   */
  static SeedRuns run(long first, int count, Mutant bugs, Consumer<SimulationRun.Result> ended) {
    return new SeedRuns(
        LongStream.range(first, first + count)
            .parallel()
            .mapToObj(seed -> SimulationRun.of(ScenarioGenerator.of(seed), bugs))
            .peek(ended)
            .toList());
  }

  List<SimulationRun.Result> failures() {
    return results.stream().filter(r -> r.violation().isPresent()).toList();
  }

  /** How often each fault and each coverage point was seen over all seeds. */
  Map<String, Long> seen() {
    var sum = new TreeMap<String, Long>();
    for (var fault : Fault.values()) sum.put(fault.name(), 0L);
    for (var coveragePoint : CoveragePoint.values()) sum.put(coveragePoint.name(), 0L);
    for (var r : results) r.seen().forEach((what, n) -> sum.merge(what, n, Long::sum));
    return sum;
  }

  String table() {
    var text = new StringBuilder();
    var simulated =
        results.stream().map(SimulationRun.Result::simulated).reduce(Duration.ZERO, Duration::plus);
    line(text, "seeds", results.size());
    line(text, "simulated hours", simulated.toHours());
    line(text, "tasks", results.stream().mapToLong(r -> r.scenario().tasks()).sum());
    line(text, "steps", results.stream().mapToLong(SimulationRun.Result::steps).sum());
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
   * How soon a mutant is found.
   *
   * @param bug its name
   * @param after the number of seeds until detection, from each of several first seeds, ascending
   * @param by the invariants that found it
   */
  public record Detection(String bug, List<Integer> after, List<String> by) {
    /** Odd, for a median. */
    public static final int BEGINNINGS = 3;

    /** Runs the seeds cyclically from several first seeds, each time until the mutant is found. */
    public static Detection of(KnownMutant bug, long first, int most, int beginnings) {
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

    private static Found search(KnownMutant bug, long first, int begin, int most) {
      for (var i = 0; i < most; i++) {
        var scenario = ScenarioGenerator.of(first + (begin + i) % most);
        var invariantViolation = SimulationRun.of(scenario, bug).violation();
        if (invariantViolation.isPresent())
          return new Found(i + 1, invariantViolation.get().invariant());
      }
      return new Found(Integer.MAX_VALUE, "");
    }

    public boolean found() {
      return after.getLast() < Integer.MAX_VALUE;
    }

    int median() {
      return after.get(after.size() / 2);
    }

    public String line() {
      return "%-34s %s"
          .formatted(
              bug, found() ? "median " + median() + " seeds, by " + by : "not found: " + after);
    }
  }
}
