package dev.mayfly.cli.page;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.metrics.MetricCurve;
import dev.mayfly.cli.metrics.MetricCurves;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What metrics of tasks were over time: of all attempts of one task, or of the newest attempts of
 * several.
 */
final class MetricsRoute {
  private static final int MOST_TASKS = 12;
  private static final Pattern PATH =
      Pattern.compile(
          "([A-Za-z0-9][-A-Za-z0-9_.]*)/([A-Za-z0-9][-A-Za-z0-9_.]*)/(\\d{1,15}(?:,\\d{1,15}){0,%d})"
              .formatted(MOST_TASKS - 1));

  private final CliContext cliContext;

  MetricsRoute(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  /**
   * @param path {@code CLUSTER/UID/INDEX} or {@code CLUSTER/UID/INDEX,INDEX}
   */
  void answer(HttpExchange exchange, String path) throws IOException {
    var parts = PATH.matcher(path);
    if (!parts.matches())
      throw CommandException.notFound(
          "metrics over time are at CLUSTER/UID/INDEX,INDEX, of at most %d at once"
              .formatted(MOST_TASKS));
    var curves = curves(parts.toMatchResult());
    PageReply.send(exchange, 200, PageReply.JSON, Wire.shared().json(curves));
  }

  private List<MetricCurve> curves(MatchResult named) {
    var indexes = Stream.of(named.group(3).split(",")).map(Long::valueOf).distinct().toList();
    var metricCurves = of(named);
    return indexes.size() == 1
        ? metricCurves.ofTask(indexes.getFirst())
        : metricCurves.ofTasks(indexes);
  }

  private synchronized MetricCurves of(MatchResult named) {
    var job = cliContext.api().job(named.group(1), named.group(2));
    return new MetricCurves(cliContext.objects(), job.bucket(), job.uid());
  }
}
