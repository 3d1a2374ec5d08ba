package dev.mayfly.cli.simulate;

import dev.mayfly.sim.expectation.Expectation;
import dev.mayfly.sim.expectation.Verdict;
import dev.mayfly.sim.expectation.Verdicts;
import dev.mayfly.sim.experiment.ExperimentResult;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What the runs of a scenario say.
 *
 * @param file of the scenario
 * @param runs in the order of their seeds
 * @param took until the last job ended, in seconds
 * @param cost in dollars, of all machines
 * @param machineHours of all machines, as they are paid for
 * @param lost attempts that ended with a machine
 * @param typical the run whose end is the middle one, with all that happened
 * @param expected what the scenario expects, and how often it was so
 * @param notes what the simulation leaves out, a sentence each
 */
record Simulation(
    String file,
    List<Run> runs,
    Spread took,
    Spread cost,
    Spread machineHours,
    Spread lost,
    ExperimentResult typical,
    List<Expected> expected,
    List<String> notes) {
  /**
   * An expectation, which holds if it held in all runs.
   *
   * @param held in how many
   * @param seen what was so in the worst run: the farthest from what was expected, or the nearest
   *     to its limit if it held in all
   * @param seed of that run
   */
  record Expected(String expected, long held, int runs, String seen, long seed) {
    boolean isBroken() {
      return held < runs;
    }
  }

  /**
   * One run, in short.
   *
   * @param lost attempts that ended with a machine
   * @param unsuccessful jobs that ended otherwise than with all that they should do
   * @param late jobs that missed their deadline
   */
  record Run(
      long seed,
      boolean complete,
      Duration took,
      double usd,
      double machineHours,
      long lost,
      long unsuccessful,
      long late) {
    static Run of(ExperimentResult result) {
      return new Run(
          result.seed(),
          result.complete(),
          result.took(),
          result.total().total().usd(),
          result.total().total().hours(),
          result.jobs().stream().mapToLong(ExperimentResult.Job::lost).sum(),
          result.jobs().stream().filter(job -> job.ended().isPresent() && !job.succeeded()).count(),
          result.jobs().stream().filter(job -> job.late().isPresent()).count());
    }
  }

  /**
   * How a number differs between runs.
   *
   * @param low one of twenty is below
   * @param high one of twenty is above
   */
  record Spread(double low, double middle, double high) {
    private static final double TWENTIETH = 0.05;

    static Spread of(List<Run> runs, ToDoubleFunction<Run> number) {
      var sorted = runs.stream().mapToDouble(number).sorted().toArray();
      return new Spread(at(sorted, TWENTIETH), at(sorted, 0.5), at(sorted, 1 - TWENTIETH));
    }

    private static double at(double[] sorted, double part) {
      var index = (int) Math.ceil(part * sorted.length) - 1;
      return sorted[Math.clamp(index, 0, sorted.length - 1)];
    }
  }

  static Simulation of(
      String file, ScenarioReader.Scenario scenario, List<ExperimentResult> results) {
    var runs = results.stream().map(Run::of).toList();
    var byEnd = results.stream().sorted(Comparator.comparing(ExperimentResult::took)).toList();
    return new Simulation(
        file,
        runs,
        Spread.of(runs, run -> run.took().toMillis() / 1e3),
        Spread.of(runs, Run::usd),
        Spread.of(runs, Run::machineHours),
        Spread.of(runs, Run::lost),
        byEnd.get((byEnd.size() - 1) / 2),
        expected(scenario.expectations(), results),
        List.copyOf(scenario.notes()));
  }

  private static List<Expected> expected(
      List<Expectation> expectations, List<ExperimentResult> results) {
    var verdicts = results.stream().map(it -> Verdicts.of(expectations, it)).toList();
    return IntStream.range(0, expectations.size())
        .mapToObj(i -> one(verdicts.stream().map(it -> it.get(i)).toList(), results))
        .toList();
  }

  private static Expected one(List<Verdict> verdicts, List<ExperimentResult> results) {
    var held = verdicts.stream().filter(Verdict::held).count();
    var shown =
        IntStream.range(0, verdicts.size())
            .boxed()
            .min(Comparator.comparing(i -> verdicts.get(i).excess(), Comparator.reverseOrder()))
            .orElse(0);
    return new Expected(
        verdicts.getFirst().expected(),
        held,
        verdicts.size(),
        verdicts.get(shown).seen(),
        results.get(shown).seed());
  }

  /** Those that did not hold in each run. */
  List<Expected> broken() {
    return expected.stream().filter(Expected::isBroken).toList();
  }

  /** Whether something is not as it should be: what was expected, or else that all jobs end. */
  boolean isBad() {
    return expected.isEmpty() ? incomplete() > 0 : !broken().isEmpty();
  }

  /** How many runs ended before all jobs had. */
  long incomplete() {
    return runs.stream().filter(run -> !run.complete()).count();
  }

  /** In how many runs a job failed, was stopped or was refused. */
  long unsuccessful() {
    return runs.stream().filter(run -> run.unsuccessful() > 0).count();
  }

  /** In how many runs a job missed its deadline. */
  long late() {
    return runs.stream().filter(run -> run.late() > 0).count();
  }

  static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1e3));
  }
}
