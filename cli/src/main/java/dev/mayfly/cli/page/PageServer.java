package dev.mayfly.cli.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Serves the page on 127.0.0.1, each request on a virtual thread. */
final class PageServer implements AutoCloseable {
  private static final String API = "/api/";
  private static final String METRICS = "/api/metrics/";
  private static final String USE = "/api/use/";
  private static final String LOGS = "/logs/";

  /** Requests that are answered at once, followed logs included. */
  private static final int MOST = 64;

  static {
    // Otherwise each answer waits 40 ms for an acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore places = new Semaphore(MOST);
  private final PageGuard pageGuard;
  private final ReadApiRoute readApiRoute;
  private final MetricsRoute metricsRoute;
  private final UseRoute useRoute;
  private final LogRoute logRoute;
  private final LaunchWord launchWord = new LaunchWord();
  private final CliContext cliContext;

  private PageServer(HttpServer server, CliContext cliContext) {
    this.server = server;
    this.cliContext = cliContext;
    pageGuard = new PageGuard(server.getAddress().getPort(), cliContext.newId());
    readApiRoute = new ReadApiRoute(cliContext);
    metricsRoute = new MetricsRoute(cliContext);
    useRoute = new UseRoute(cliContext);
    logRoute = new LogRoute(cliContext);
  }

  /**
   * Serves at once.
   *
   * @param port 0 for any free port
   */
  static PageServer start(CliContext cliContext, int port) {
    try {
      var server =
          HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 64);
      var page = new PageServer(server, cliContext);
      server.setExecutor(page.threads);
      server.createContext("/", page::handle);
      server.start();
      return page;
    } catch (IOException e) {
      throw CommandException.input(
          "port %d of 127.0.0.1 cannot be taken (%s); name another one: --port 0 takes any"
              .formatted(port, e.getMessage()),
          e);
    }
  }

  /** Where the person opens the page. */
  String address() {
    return "http://127.0.0.1:%d/?key=%s".formatted(pageGuard.port(), pageGuard.key());
  }

  /** Where a program opens the page, whose arguments others see: of use once, and soon. */
  String launchAddress() {
    var word = cliContext.newId();
    launchWord.is(word, cliContext.now());
    return "http://127.0.0.1:%d/?open=%s".formatted(pageGuard.port(), word);
  }

  /** Stops at once; logs that are followed end. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var asked = asked(exchange);
      var refusal = pageGuard.refusal(asked);
      if (refusal.isPresent()) {
        refuse(exchange, asked.path(), refusal.get());
      } else if (places.tryAcquire()) {
        try {
          answer(exchange, asked.path());
        } finally {
          places.release();
        }
      } else {
        PageReply.problem(exchange, 503, "the page asks for too much at once; it tries again");
      }
    }
  }

  private static PageGuard.Asked asked(HttpExchange exchange) {
    var uri = exchange.getRequestURI();
    return new PageGuard.Asked(
        exchange.getRequestMethod(),
        Optional.ofNullable(uri.getRawPath()).orElse(""),
        header(exchange, "Host"),
        header(exchange, PageGuard.KEY),
        header(exchange, "Sec-Fetch-Site"));
  }

  private static Optional<String> header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  private static void refuse(HttpExchange exchange, String path, PageGuard.Refusal refusal)
      throws IOException {
    if (path.startsWith(API) || path.startsWith(LOGS))
      PageReply.problem(exchange, refusal.status(), refusal.reason());
    else PageReply.text(exchange, refusal.status(), refusal.reason());
  }

  private void answer(HttpExchange exchange, String path) throws IOException {
    try {
      if (path.equals(PageGuard.EXCHANGE)) exchangeKey(exchange);
      else if (path.startsWith(METRICS))
        metricsRoute.answer(exchange, path.substring(METRICS.length()));
      else if (path.startsWith(USE)) useRoute.answer(exchange, path.substring(USE.length()));
      else if (path.startsWith(API))
        readApiRoute.answer(exchange, path.substring(API.length() - 1));
      else if (path.startsWith(LOGS)) logRoute.answer(exchange, path.substring(LOGS.length()));
      else file(exchange, path);
    } catch (RuntimeException failure) {
      // Nothing is sent before all of an answer is known, logs apart, which tell their own
      // failures.
      var why = Optional.ofNullable(failure.getMessage()).orElseGet(failure::toString);
      PageReply.problem(exchange, status(failure), why);
    }
  }

  private record Key(String key) {}

  private void exchangeKey(HttpExchange exchange) throws IOException {
    var word = header(exchange, PageGuard.WORD).orElse("");
    if (launchWord.takes(word, cliContext.now()))
      PageReply.send(exchange, 200, PageReply.JSON, Wire.shared().json(new Key(pageGuard.key())));
    else
      PageReply.problem(
          exchange,
          401,
          "this address was opened before, or too late: open the one that mayfly ui printed in your terminal");
  }

  private static int status(RuntimeException failure) {
    return switch (CommandExitCode.of(failure)) {
      case NOT_FOUND -> 404;
      case INPUT -> 400;
      case DENIED -> 403;
      case UNAVAILABLE -> 503;
      default -> 500;
    };
  }

  private static void file(HttpExchange exchange, String path) throws IOException {
    var found = PageFiles.at(path);
    if (found.isPresent()) PageReply.send(exchange, 200, found.get().type(), found.get().content());
    else PageReply.text(exchange, 404, "The page has no file " + path);
  }
}
