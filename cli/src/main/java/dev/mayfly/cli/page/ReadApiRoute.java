package dev.mayfly.cli.page;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.cli.client.HttpTransport;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Hands questions on to the read API, as the commands ask it, and its answers back. */
final class ReadApiRoute {
  private static final Pattern PATH = Pattern.compile("/v1(/[A-Za-z0-9][-A-Za-z0-9_.]{0,127})+");
  private static final int LONGEST_QUERY = 1_000;

  private final CliContext cliContext;

  ReadApiRoute(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  /** Who looks, and at which deployment. */
  private record Viewer(Optional<String> user, String project, boolean laptop, String api) {}

  /** The API's base URL, and what speaks to it. */
  private record Api(HttpTransport httpTransport, String base) {}

  void answer(HttpExchange exchange, String path) throws IOException {
    if (path.equals("/viewer")) {
      PageReply.send(exchange, 200, PageReply.JSON, Wire.shared().json(viewer()));
      return;
    }
    var query = Optional.ofNullable(exchange.getRequestURI().getRawQuery());
    if (!PATH.matcher(path).matches() || query.map(String::length).orElse(0) > LONGEST_QUERY) {
      PageReply.problem(exchange, 404, "the read API has no such route");
      return;
    }
    var api = api();
    var reply = api.httpTransport().get(api.base() + path + query.map(q -> "?" + q).orElse(""));
    PageReply.send(exchange, reply.status(), PageReply.JSON, reply.body());
  }

  private synchronized Viewer viewer() {
    var endpoints = cliContext.endpoints();
    return new Viewer(
        cliContext.user(), endpoints.project(), !endpoints.cloud().isEmpty(), endpoints.api());
  }

  /** Found anew until there is one: the page may be opened before the cloud is up. */
  private synchronized Api api() {
    return new Api(cliContext.http(), cliContext.endpoints().api());
  }
}
