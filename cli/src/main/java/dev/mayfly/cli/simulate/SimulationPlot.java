package dev.mayfly.cli.simulate;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.sim.experiment.ExperimentResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * A drawing of a simulation: machines by pool and zone above each other, running tasks, and each
 * job from its submission to its end, on one axis of time. Colours follow the reader's theme.
 */
final class SimulationPlot {
  private static final int WIDTH = 960;
  private static final int LEFT = 150;
  private static final int RIGHT = 20;
  private static final int TOP = 56;
  private static final int AREA = 150;
  private static final int GAP = 46;
  private static final int ROW = 22;
  private static final int MOST_JOBS = 40;
  private static final int MOST_POINTS = 800;
  private static final int TICKS = 6;
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(2),
          Duration.ofHours(4),
          Duration.ofHours(12),
          Duration.ofDays(1),
          Duration.ofDays(2),
          Duration.ofDays(7));

  /** Colours that people with any colour vision tell apart (Okabe and Ito, 2008). */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999");

  private static final Map<Character, String> ESCAPES =
      Map.of('&', "&amp;", '<', "&lt;", '>', "&gt;", '"', "&quot;", '\'', "&#39;");

  private final ExperimentResult result;
  private final StringBuilder svg = new StringBuilder();
  private final long end;
  private int y = TOP;

  private SimulationPlot(ExperimentResult result) {
    this.result = result;
    end = Math.max(1, result.samples().isEmpty() ? 1 : result.samples().getLast().at().toSeconds());
  }

  static String svg(Simulation simulation) {
    return new SimulationPlot(simulation.typical()).drawn(simulation.file());
  }

  private String drawn(String file) {
    var title = "%s, seed %d: %s".formatted(file, result.seed(), SimulationText.end(result));
    area("machines", machines());
    area("running tasks", running());
    jobs();
    axis();
    var height = y + 10;
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
    <style>
    svg { font: 13px system-ui, sans-serif; background: #fff; color: #1b1f24 }
    text { fill: currentColor } .faint { stroke: currentColor; stroke-opacity: .18 } .h { font-size: 16px; font-weight: 600 }
    @media (prefers-color-scheme: dark) { svg { background: #14181d; color: #e6e9ed } }
    </style>
    <text class="h" x="20" y="28">%s</text>
    %s</svg>
    """
        .formatted(WIDTH, height, escaped(title), escaped(title), svg);
  }

  private record Layer(String name, String colour, ToLongFunction<ExperimentResult.Sample> value) {}

  private List<Layer> machines() {
    var layers = new ArrayList<Layer>();
    for (var i = 0; i < result.machines().size(); i++) {
      var at = i;
      var place = result.machines().get(i);
      if (place.launched() > 0)
        layers.add(
            new Layer(
                place.pool() + " " + place.zone(),
                colour(layers.size()),
                s -> s.machines().get(at)));
    }
    return layers;
  }

  private List<Layer> running() {
    var layers = new ArrayList<Layer>();
    for (var i = 0; i < Math.min(result.jobs().size(), MOST_JOBS); i++) {
      var at = i;
      layers.add(new Layer(result.jobs().get(i).name(), colour(i), s -> s.running().get(at)));
    }
    return layers;
  }

  private static String colour(int index) {
    return COLOURS.get(index % COLOURS.size());
  }

  /** Layers above each other, with the most of their sum at the left. */
  private void area(String name, List<Layer> layers) {
    var samples = thinned();
    var most = 1L;
    for (var sample : samples)
      most = Math.max(most, layers.stream().mapToLong(it -> it.value().applyAsLong(sample)).sum());
    text(20, y + 14, name);
    text(20, y + 32, "at most " + HumanFormat.count(most));
    var below = new long[samples.size()];
    for (var layer : layers) {
      var points = new StringBuilder();
      var back = new StringBuilder();
      for (var i = 0; i < samples.size(); i++) {
        var x = x(samples.get(i).at());
        back.insert(0, " " + x + "," + height(below[i], most));
        below[i] += layer.value().applyAsLong(samples.get(i));
        points.append(x).append(',').append(height(below[i], most)).append(' ');
      }
      svg.append(
          "<polygon fill=\"%s\" points=\"%s%s\"><title>%s</title></polygon>%n"
              .formatted(layer.colour(), points, back, escaped(layer.name())));
    }
    line(LEFT, y + AREA, WIDTH - RIGHT, y + AREA);
    legend(layers);
    y += AREA + GAP;
  }

  private void legend(List<Layer> layers) {
    var x = LEFT;
    for (var layer : layers) {
      var room = 24 + 7 * layer.name().length();
      if (x + room > WIDTH - RIGHT) break;
      svg.append(
          "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>%n"
              .formatted(x, y + AREA + 9, layer.colour()));
      text(x + 14, y + AREA + 18, layer.name());
      x += room;
    }
  }

  private void jobs() {
    var shown = Math.min(result.jobs().size(), MOST_JOBS);
    for (var i = 0; i < shown; i++) {
      var job = result.jobs().get(i);
      text(20, y + 14, shortened(job.name()));
      var ended = job.ended().orElse(Duration.ofSeconds(end));
      var began = job.started().orElse(ended);
      bar(job.submitted(), began, "#999999", job.name() + " waits");
      bar(began, ended, colour(i), job.name() + " runs");
      y += ROW;
    }
    if (result.jobs().size() > shown) {
      text(20, y + 14, "and " + HumanFormat.count(result.jobs().size() - shown, "job"));
      y += ROW;
    }
  }

  private static String shortened(String name) {
    return name.length() <= 18 ? name : name.substring(0, 17) + "…";
  }

  private void bar(Duration from, Duration to, String colour, String what) {
    var width = Double.parseDouble(x(to)) - Double.parseDouble(x(from));
    svg.append(
        "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"14\" rx=\"2\" fill=\"%s\"><title>%s, %s to %s</title></rect>%n"
            .formatted(
                x(from),
                y + 3,
                number(Math.max(1, width)),
                colour,
                escaped(what),
                HumanFormat.result(from),
                HumanFormat.result(to)));
  }

  private void axis() {
    var step =
        STEPS.stream()
            .filter(it -> it.toSeconds() * TICKS >= end)
            .findFirst()
            .orElse(STEPS.getLast());
    for (var at = Duration.ZERO; at.toSeconds() <= end; at = at.plus(step)) {
      var x = x(at);
      svg.append(
          "<line class=\"faint\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>%n"
              .formatted(x, x, TOP, y + 4));
      svg.append(
          "<text x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>%n"
              .formatted(x, y + 20, HumanFormat.result(at)));
    }
    y += 24;
  }

  private List<ExperimentResult.Sample> thinned() {
    var all = result.samples();
    var every = Math.max(1, (all.size() + MOST_POINTS - 1) / MOST_POINTS);
    var some = new ArrayList<ExperimentResult.Sample>();
    for (var i = 0; i < all.size(); i += every) some.add(all.get(i));
    return some;
  }

  private String x(Duration at) {
    return number(LEFT + (double) at.toSeconds() * (WIDTH - LEFT - RIGHT) / end);
  }

  private String height(long value, long most) {
    return number(y + AREA - (double) value * AREA / most);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private void text(int x, int at, String text) {
    svg.append("<text x=\"%d\" y=\"%d\">%s</text>%n".formatted(x, at, escaped(text)));
  }

  private void line(int x1, int y1, int x2, int y2) {
    svg.append(
        "<line class=\"faint\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n"
            .formatted(x1, y1, x2, y2));
  }

  private static String escaped(String text) {
    var safe = new StringBuilder();
    for (var c : text.toCharArray()) safe.append(ESCAPES.getOrDefault(c, String.valueOf(c)));
    return safe.toString();
  }
}
