package dev.mayfly.cli.page;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.cli.client.JobUse;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.regex.Pattern;

/** What a job's tasks ask for and used, in the words of {@code mayfly explain}. */
final class UseRoute {
  private static final Pattern PATH =
      Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)/([A-Za-z0-9][-A-Za-z0-9_.]*)");

  private final CliContext cliContext;

  UseRoute(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  /**
   * @param path {@code CLUSTER/UID}
   */
  void answer(HttpExchange exchange, String path) throws IOException {
    var parts = PATH.matcher(path);
    if (!parts.matches()) throw CommandException.notFound("what a job used is at CLUSTER/UID");
    var use = of(parts.group(1), parts.group(2));
    PageReply.send(exchange, 200, PageReply.JSON, Wire.shared().json(use));
  }

  private JobUse of(String cluster, String job) {
    var api = cliContext.api();
    return JobUse.of(api, api.job(cluster, job));
  }
}
