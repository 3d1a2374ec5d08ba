package dev.mayfly.cli.simulate;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.sim.expectation.Expectation;
import dev.mayfly.sim.expectation.Verdict;
import dev.mayfly.sim.expectation.Verdicts;
import dev.mayfly.sim.experiment.ExperimentRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each file of {@code scenarios} holds: the real control plane and the real agents do what it
 * expects. {@code -Dscenario=packing/} runs those whose name contains it.
 */
class ScenariosTest {
  private static final Path FOLDER = Path.of("../scenarios");
  private static final long SEED = 1;

  /**
   * A file and what became of it.
   *
   * @param scenario empty if it cannot be read
   * @param errors why not
   */
  private record Outcome(
      String name,
      Optional<ScenarioReader.Scenario> scenario,
      String errors,
      List<Verdict> verdicts) {}

  @TestFactory
  Stream<DynamicTest> scenariosHold() throws IOException {
    var began = System.nanoTime();
    var outcomes = files().parallelStream().map(ScenariosTest::outcome).toList();
    var expectations = outcomes.stream().mapToInt(it -> it.verdicts().size()).sum();
    System.out.printf(
        "%d scenarios, %d expectations, in %.1f s%n",
        outcomes.size(), expectations, (System.nanoTime() - began) / 1e9);
    var questions = new HashMap<String, String>();
    return outcomes.stream()
        .map(it -> DynamicTest.dynamicTest(it.name(), () -> check(it, questions)));
  }

  private static List<Path> files() throws IOException {
    var wanted = System.getProperty("scenario", "");
    try (var all = Files.walk(FOLDER)) {
      return all.filter(it -> it.toString().endsWith(".yaml"))
          .filter(it -> it.toString().contains(wanted))
          .sorted()
          .toList();
    }
  }

  private static Outcome outcome(Path file) {
    var name = FOLDER.relativize(file).toString();
    try {
      var scenario = ScenarioReader.read(file.toString(), Map.of());
      var result = ExperimentRun.of(scenario.experiment(), SEED);
      return new Outcome(
          name, Optional.of(scenario), "", Verdicts.of(scenario.expectations(), result));
    } catch (InvalidInputException no) {
      return new Outcome(
          name,
          Optional.empty(),
          no.problems().stream().map(String::valueOf).collect(joining("\n")),
          List.of());
    } catch (RuntimeException bug) {
      return new Outcome(name, Optional.empty(), bug.toString(), List.of());
    }
  }

  private static void check(Outcome outcome, Map<String, String> questions) {
    assertThat(outcome.errors()).as("%s is a scenario", outcome.name()).isEmpty();
    var scenario = outcome.scenario().orElseThrow();
    assertThat(scenario.expectations()).as("%s expects something", outcome.name()).isNotEmpty();
    var question =
        scenario.experiment()
            + " "
            + scenario.expectations().stream().map(Expectation::toString).sorted().toList();
    var same = Optional.ofNullable(questions.putIfAbsent(question, outcome.name()));
    assertThat(same).as("%s asks what another one asks", outcome.name()).isEmpty();
    assertThat(broken(outcome))
        .as("%s: mayfly simulate scenarios/%s --seed %d", outcome.name(), outcome.name(), SEED)
        .isEmpty();
  }

  private static List<String> broken(Outcome outcome) {
    var broken = new ArrayList<String>();
    for (var verdict : outcome.verdicts())
      if (!verdict.held())
        broken.add("%s; it was: %s".formatted(verdict.expected(), verdict.seen()));
    return broken;
  }
}
