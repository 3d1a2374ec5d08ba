package dev.mayfly.cli.simulate;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.sim.experiment.ExperimentRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly simulate}: what jobs would take and cost. */
@Command(
    name = "simulate",
    description = {
      "Says when jobs would begin and end, why they would wait, and what they would cost.",
      "The real control plane and the real agents run the cluster and the jobs of SCENARIO in"
          + " virtual time, without a cloud. The same seed gives the same answer."
    },
    footer = {
      "",
      "A scenario names the files of a cluster and of jobs, how long tasks take, and what zones are"
          + " like: how many machines they have, what part of them they take back within an hour,"
          + " and how long machines boot. docs/simulate.md tells all of it.",
      "A scenario may also say what it expects (expect), and is a test then.",
      "Exit codes: 0 all jobs ended, or all is as expected; 1 some did not within the time of the"
          + " scenario, or something is not as expected; 2 errors. Jobs that fail or miss their"
          + " deadline are told first and are no 1 by themselves: expect {job: a, state: succeeded}"
          + " or {job: a, endsWithin: 8h} for that.",
      "",
      "Examples:",
      "  mayfly simulate night.yaml",
      "  mayfly simulate night.yaml --runs 50",
      "  mayfly simulate night.yaml --compare provisioning=on-demand --runs 20",
      "  mayfly simulate night.yaml --plot night.svg -o json",
      "  mayfly simulate night.yaml --page night.html"
    })
public final class SimulateCommand extends ResultCommand {
  private static final int MOST_RUNS = 10_000;

  @Parameters(
      index = "0",
      paramLabel = "SCENARIO",
      description = "YAML or JSON; - is standard input.")
  String file = "";

  @Option(
      names = "--compare",
      paramLabel = "SCENARIO|NAME=VALUE",
      description =
          "Another scenario, or the same one with another value of a variable: its numbers stand"
              + " beside those of the first.")
  List<String> others = new ArrayList<>();

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "1",
      description = "So many runs, each with a seed of its own, and how they differ.")
  int runs = 1;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The first run's seed (${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(
      names = "--plot",
      paramLabel = "FILE.svg",
      description = "Draws machines, tasks and jobs over time, of the middle run.")
  @Nullable Path plot;

  @Option(
      names = "--page",
      paramLabel = "FILE.html|FOLDER",
      description =
          "Writes the page of mayfly ui, of the middle run, as a file that needs no network: what"
              + " ran where and when, jobs, tasks, events, costs.")
  @Nullable String page;

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "Sets the variable {name} in the files of the cluster and the jobs.")
  List<String> variables = new ArrayList<>();

  public SimulateCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    if (runs < 1 || runs > MOST_RUNS)
      throw CommandException.input(
          "--runs is %d; write a number from 1 to %,d".formatted(runs, MOST_RUNS));
    var values = DocumentFile.variables(variables, "--var ");
    var scenarios = new ArrayList<Named>();
    var drawing = Optional.ofNullable(plot).map(PlotDestination::new);
    drawing.ifPresent(PlotDestination::check);
    scenarios.add(read(file, values));
    others.forEach(other -> scenarios.add(other(other, values)));
    var pages =
        Optional.ofNullable(page)
            .map(
                it -> new SimulationPages(cliContext, PageDestination.of(it, cliContext.folder())));
    pages.ifPresent(it -> it.check(scenarios.size()));
    tellNotes(scenarios);
    var simulations = new ArrayList<Simulation>();
    for (var scenario : scenarios) simulations.add(simulate(scenario, pages));
    drawing.ifPresent(it -> draw(simulations.getFirst(), it));
    if (others.isEmpty())
      show(
          simulations.getFirst(),
          () -> new SimulationPage(textScreen()).print(simulations.getFirst()));
    else show(simulations, () -> new SimulationPage(textScreen()).compare(simulations));
    return simulations.stream().anyMatch(Simulation::isBad) ? CommandExitCode.JOB_FAILED.code() : 0;
  }

  /** Tells once, before the runs: what they leave out, and which jobs cannot succeed. */
  private void tellNotes(List<Named> scenarios) {
    scenarios.stream()
        .flatMap(it -> it.scenario().notes().stream())
        .distinct()
        .forEach(cliContext.screen()::note);
  }

  private record Named(String file, ScenarioReader.Scenario scenario) {}

  private Named other(String other, Map<String, String> values) {
    var at = other.indexOf('=');
    if (at < 1 || Files.exists(Path.of(other))) return read(other, values);
    var changed = new LinkedHashMap<>(values);
    changed.put(other.substring(0, at), other.substring(at + 1));
    return new Named(other, ScenarioReader.read(file, changed));
  }

  private static Named read(String file, Map<String, String> values) {
    return new Named(DocumentFile.label(file), ScenarioReader.read(file, values));
  }

  private Simulation simulate(Named named, Optional<SimulationPages> pages) {
    var began = System.nanoTime();
    var experiment = named.scenario().experiment();
    var only = runs == 1 ? pages : Optional.<SimulationPages>empty();
    var progress =
        new SimulationProgress(
            named.file(), runs, experiment.longest(), cliContext::now, cliContext.screen()::note);
    var results =
        LongStream.range(seed, seed + runs)
            .parallel()
            .mapToObj(each -> {
              var result =
                  only.map(it -> it.run(named.scenario(), each, progress::passed))
                      .orElseGet(() ->
                          ExperimentRun.of(
                              experiment, each, progress::passed, ExperimentRun.End::result));
              progress.ended();
              return result;
            })
            .toList();
    if (runs > 1)
      cliContext
          .screen()
          .note(
              "%s: %s took %.1f s"
                  .formatted(
                      named.file(),
                      HumanFormat.count(runs, "run"),
                      (System.nanoTime() - began) / 1e9));
    var simulation = Simulation.of(named.file(), named.scenario(), results);
    pages.ifPresent(it -> it.write(simulation, named.scenario()));
    return simulation;
  }

  private void draw(Simulation simulation, PlotDestination destination) {
    destination.write(SimulationPlot.svg(simulation));
    cliContext.screen().note("drawn in " + destination.path());
  }
}
