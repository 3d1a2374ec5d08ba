package dev.mayfly.cli.simulate;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.page.ExportedSimulation;
import dev.mayfly.cli.page.ExportedSimulation.Simulated;
import dev.mayfly.sim.experiment.ExperimentResult;
import dev.mayfly.sim.experiment.ExperimentRun;
import dev.mayfly.sim.experiment.Passed;
import dev.mayfly.sim.world.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Writes the page of each scenario's middle run. */
final class SimulationPages {
  private static final double BYTES_PER_MB = 1e6;

  private final CliContext cliContext;
  private final PageDestination destination;
  private final List<Path> written = new ArrayList<>();
  private Optional<Read> read = Optional.empty();

  SimulationPages(CliContext cliContext, PageDestination destination) {
    this.cliContext = cliContext;
    this.destination = destination;
  }

  /**
   * @param file what its page has, once it is known what is said of it; empty without a cluster
   */
  private record Read(
      ExperimentResult result, Optional<Function<Simulated, ExportedSimulation>> file) {}

  /** Refuses what cannot be written, before anything runs. */
  void check(int scenarios) {
    destination.check(scenarios);
  }

  /** Runs the scenario, and keeps what its page has. */
  ExperimentResult run(ScenarioReader.Scenario scenario, long seed, Consumer<Passed> watcher) {
    var ran = ExperimentRun.of(scenario.experiment(), seed, watcher, end -> read(scenario, end));
    read = Optional.of(ran);
    return ran.result();
  }

  private static Read read(ScenarioReader.Scenario scenario, ExperimentRun.End end) {
    var name = scenario.experiment().cluster().name();
    var there = end.queries().clusters().stream().anyMatch(it -> it.name().equals(name));
    return new Read(
        end.result(),
        there ? Optional.of(SimulationExport.read(name, end, scenario.notes())) : Optional.empty());
  }

  /** Writes the page of the middle run, which runs again if it was one of several. */
  void write(Simulation simulation, ScenarioReader.Scenario scenario) {
    var seed = simulation.typical().seed();
    if (read.filter(it -> it.result().seed() == seed).isEmpty()) {
      var _ = run(scenario, seed, _ -> {});
    }
    var file = read.flatMap(Read::file);
    read = Optional.empty();
    if (file.isEmpty()) {
      cliContext
          .screen()
          .note(
              "%s has no page: cluster %s is not there at the end"
                  .formatted(simulation.file(), scenario.experiment().cluster().name()));
      return;
    }
    write(simulation, file.get().apply(said(simulation)));
  }

  private void write(Simulation simulation, ExportedSimulation file) {
    var path = destination.of(simulation.file(), written);
    var content = file.page(cliContext.env());
    destination.write(path, content);
    written.add(path);
    cliContext
        .screen()
        .note(
            String.format(
                Locale.ROOT,
                "the page of %s is %s, %,.1f MB",
                simulation.file(),
                destination.named(path),
                content.length / BYTES_PER_MB));
    file.cut().forEach(cliContext.screen()::note);
  }

  private static Simulated said(Simulation simulation) {
    var result = simulation.typical();
    var all = new ArrayList<String>();
    var waits = new LinkedHashMap<String, List<String>>();
    all.addAll(SimulationText.problems(result));
    for (var job : result.jobs()) {
      var of = SimulationText.waits(job);
      of.forEach(it -> all.add(job.name() + ": " + it));
      SimulationText.attempts(job).ifPresent(it -> all.add(job.name() + ": " + it));
      if (!of.isEmpty()) waits.put(job.name(), of);
    }
    result.refused().forEach(it -> all.add("refused: " + it));
    all.addAll(SimulationText.left(result));
    return Simulated.of(
        simulation.file(),
        result.seed(),
        simulation.runs().size(),
        World.START,
        SimulationExport.FIRST_DAY,
        SimulationText.end(result),
        all,
        waits);
  }
}
