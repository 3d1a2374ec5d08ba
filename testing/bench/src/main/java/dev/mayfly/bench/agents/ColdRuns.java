package dev.mayfly.bench.agents;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** First runs, each in a new process, where nothing is compiled or connected yet. */
final class ColdRuns {
  private static final Pattern LAST = Pattern.compile("after [0-9.]+, [0-9.]+, ([0-9.]+) s");
  private static final Pattern FAILED = Pattern.compile("failed ([0-9.]+) %");
  private static final Pattern SPENT = Pattern.compile("processor time ([0-9.]+) s");

  private ColdRuns() {}

  /**
   * @param tell receives each run's lines as soon as it ends
   */
  static List<String> runs(int runs, int agents, int tasks, Consumer<String> tell)
      throws IOException, InterruptedException {
    var last = new ArrayList<Double>();
    var failed = new ArrayList<Double>();
    var spent = new ArrayList<Double>();
    var ratio = new ArrayList<Double>();
    for (var run = 0; run < runs; run++) {
      var told = String.join("\n", one(agents, tasks));
      tell.accept(told);
      last.add(number(LAST, told));
      failed.add(number(FAILED, told));
      spent.add(number(SPENT, told));
      told.lines()
          .filter(EmulatorBaseline::isLine)
          .forEach(floor -> ratio.add(last.getLast() / EmulatorBaseline.seconds(floor)));
    }
    return List.of(
        "%d first runs of %,d agents and %,d tasks:".formatted(runs, agents, tasks),
        line("last task known to its agent, s", last),
        line("of the bare commits' time", ratio),
        line("processor time of all, s", spent),
        line("commits that failed, %", failed));
  }

  private static List<String> one(int agents, int tasks) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), WaitingAgentsMain.class.getName()));
    command.addAll(List.of(String.valueOf(agents), String.valueOf(tasks), "1"));
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines;
    try (var out = process.inputReader()) {
      lines = out.lines().toList();
    }
    if (process.waitFor() != 0) throw new IOException("a run ended with " + process.exitValue());
    return lines;
  }

  private static double number(Pattern pattern, String told) {
    var found = pattern.matcher(told);
    if (!found.find()) throw new IllegalStateException("a run told nothing of " + pattern);
    return Double.parseDouble(found.group(1));
  }

  private static String line(String what, List<Double> values) {
    var sorted = values.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "  %s: median %.2f, from %.2f to %.2f",
        what,
        sorted.get(sorted.size() / 2),
        sorted.getFirst(),
        sorted.getLast());
  }
}
