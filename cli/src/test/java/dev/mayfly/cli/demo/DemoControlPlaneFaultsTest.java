package dev.mayfly.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.wire.proof.ServerProof;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults of a control plane that admits its owner alone. */
@Timeout(60)
class DemoControlPlaneFaultsTest {
  private static final String TOKEN = "mayfly-OWNERTOKENOWNERTOKENOWNERTOKEN12";

  @TempDir Path home;
  private final List<String> injected = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private HttpServer control;
  private volatile String owner = TOKEN;

  @BeforeEach
  void start() throws IOException {
    control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    control.createContext("/", this::admitOwner);
    control.createContext(ServerProof.PATH, this::prove);
    control.start();
    Files.createDirectories(home.resolve("cloud"));
    Files.writeString(home.resolve("cloud/token"), TOKEN);
    Files.writeString(
        home.resolve("local.json"),
        """
        {"project":"p","api":"http://ADDRESS/api","pubsub":"http://127.0.0.1:2","storage":"http://127.0.0.1:1",
        "cloud":"http://127.0.0.1:1","workers":"http://ADDRESS/workers",
        "cloudPid":1,"controlPid":1,"supervisorPid":1}
        """
            .replace("ADDRESS", address()));
  }

  @AfterEach
  void stop() {
    control.stop(0);
  }

  @Test
  void ownersTokenInjectsEachKindInTurn() {
    var now = Stream.iterate(ViewFixtures.NOW, it -> it.plusSeconds(2)).iterator();
    var faults = faults(new ConditionPoller(now::next, span -> {}));
    assertThat(faults.missing())
        .containsExactly(
            "no fault of kill-functions was injected", "no fault of drop-connections was injected");

    for (var time = 0; time < 40; time++) inject(faults);

    assertThat(injected).hasSize(32);
    assertThat(injected.subList(0, 3))
        .containsExactly("/_sim/functions/kill", "/_sim/connections/drop", "/_sim/functions/kill");
    assertThat(out.toString(UTF_8)).contains("! kill -9 of function jobs");
    assertThat(faults.missing()).isEmpty();
  }

  @Test
  void refusalEndsTheDemoWithItsReason() {
    owner = "mayfly-ANOTHERTOKENANOTHERTOKENANOTHER12";
    var faults = faults(new ConditionPoller(() -> ViewFixtures.NOW, span -> {}));

    assertThatThrownBy(() -> inject(faults))
        .isInstanceOfSatisfying(
            CommandException.class,
            it -> assertThat(it.exitCode()).isEqualTo(CommandExitCode.DENIED))
        .hasMessage("the laptop cloud refuses functions/kill (HTTP 401): its owner's alone");
    assertThat(faults.missing()).hasSize(2);
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  private void inject(DemoControlPlaneFaults faults) {
    faults.injectIfDue(ProgressDisplay.silent(TestScreen.plain(out, out)));
  }

  private DemoControlPlaneFaults faults(ConditionPoller conditionPoller) {
    var cliContext =
        new CliContext(
            Map.of("MAYFLY_HOME", home.toString()),
            TestScreen.plain(out, out),
            conditionPoller,
            () -> "id");
    return DemoControlPlaneFaults.of(
            cliContext, List.of("kill-functions", "drop-connections"), true)
        .orElseThrow();
  }

  private String address() {
    return "127.0.0.1:" + control.getAddress().getPort();
  }

  private void prove(HttpExchange exchange) throws IOException {
    var nonce = exchange.getRequestURI().getQuery().replaceAll(".*nonce=|&.*", "");
    answer(
        exchange, 200, "{\"proofs\":[\"%s\"]}".formatted(ServerProof.of(TOKEN, address(), nonce)));
  }

  private void admitOwner(HttpExchange exchange) throws IOException {
    var known = ("Bearer " + owner).equals(exchange.getRequestHeaders().getFirst("Authorization"));
    if (known) injected.add(exchange.getRequestURI().getPath());
    if (known) answer(exchange, 200, "jobs");
    else answer(exchange, 401, "{\"error\":{\"message\":\"its owner's alone\"}}");
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      var body = text.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
