package dev.mayfly.functions.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.sync.SyncService;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The cost of a call before authentication, and what a caller may request. */
class WorkersHandlerTest {
  private static final String URL = "https://lab.example/mayfly-workers";
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final InstantSource CLOCK = () -> NOW;

  private final WorkersHandler function =
      new WorkersHandler(
          desk(),
          CallerAuthenticator.required(
              URL, new AllowedAccounts("agent@lab", "autoscale@lab", Set.of()), CLOCK));

  /** No call of these tests reaches a port but the clock. */
  private static SyncService desk() {
    var context =
        new Context(
            uncalled(Ledger.class),
            uncalled(TriggerBus.class),
            uncalled(NotificationTopic.class),
            uncalled(Fleet.class),
            uncalled(ObjectStore.class),
            uncalled(Codec.class),
            uncalled(ScheduledExecutor.class),
            uncalled(TickScheduler.class),
            uncalled(IdGenerator.class),
            CLOCK,
            Timings.DEFAULT);
    return new SyncService(context, "test");
  }

  private static <P> P uncalled(Class<P> port) {
    return port.cast(
        Proxy.newProxyInstance(
            WorkersHandlerTest.class.getClassLoader(),
            new Class<?>[] {port},
            (_, method, _) -> {
              throw new IllegalStateException(method + " is not asked");
            }));
  }

  private static String token(String email, String more) {
    var claims =
        "{\"aud\":\"%s\",\"email\":\"%s\",\"exp\":%d%s}"
            .formatted(URL, email, NOW.getEpochSecond() + 60, more);
    var part = Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8));
    return "Bearer e30." + part + ".SIGNATURE_REMOVED";
  }

  private static String machine() {
    return token("agent@lab", ",\"google\":{\"compute_engine\":{\"instance_id\":\"77\"}}");
  }

  private TestHttp.Response call(TestHttp.Request request) throws IOException {
    var response = new TestHttp.Response();
    function.service(request, response);
    return response;
  }

  @Test
  void unknownCallersBodyIsNotRead() throws IOException {
    for (var path : List.of("/v1/sync", "/v1/watch"))
      for (var authorization : List.of("", "Bearer x", token("ada@lab", ""), token("", ""))) {
        var request = new TestHttp.Request(path, authorization, "{\"free\":{\"cpu\":1e999999999}}");

        assertThat(call(request).status).as(path + " " + authorization).isIn(401, 403);
        assertThat(request.read).as(path + " " + authorization).isZero();
      }
  }

  @Test
  void hugeNumberIsRejected() throws IOException {
    for (var number : List.of("1e999999999", "1e9999999999", "1e50000000")) {
      var body = "{\"seq\":1,\"free\":{\"cpu\":%s}}".formatted(number);

      var answer = call(new TestHttp.Request("/v1/sync", machine(), body));

      assertThat(answer.status).as(number).isEqualTo(400);
      assertThat(answer.text()).hasSizeLessThan(1_000);
    }
  }

  /** A call that reads the ledger would fail here. */
  @Test
  void reportNamingOtherDocumentIsRejected() throws IOException {
    var report = Files.readString(Path.of("../schemas/samples/valid/sync-report.json"));
    var sample = Wire.shared().report(report.getBytes(UTF_8));
    for (var cluster : List.of("c1/workers/w1", "../c1", "", "C1"))
      assertThat(told(report.replace(quoted(sample.cluster()), quoted(cluster)))).isEqualTo(400);
    for (var worker : List.of("w1/hosts/1", "..", "", "w 1"))
      assertThat(told(report.replace(quoted(sample.worker()), quoted(worker)))).isEqualTo(400);
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private int told(String report) throws IOException {
    return call(new TestHttp.Request("/v1/sync", machine(), report)).status;
  }

  @Test
  void oversizedBodyIsRejected() throws IOException {
    var spaces = " ".repeat(WorkersHandler.BODY_CAP);
    for (var path : List.of("/v1/sync", "/v1/watch")) {
      var caller = path.endsWith("sync") ? machine() : token("autoscale@lab", "");

      var answer = call(new TestHttp.Request(path, caller, spaces + "{}"));

      assertThat(answer.status).as(path).isEqualTo(400);
      assertThat(answer.text()).as(path).contains("larger than " + WorkersHandler.BODY_CAP);
    }
  }

  @Test
  void invalidWatchIsRejected() throws IOException {
    var many = String.join(",", Collections.nCopies(101, "\"abc\""));
    for (var clusters : List.of(many, "\"../jobs\"", "\"\"", "\"" + "a".repeat(41) + "\"")) {
      var body = "{\"clusters\":[%s],\"seconds\":1}".formatted(clusters);

      var answer = call(new TestHttp.Request("/v1/watch", token("autoscale@lab", ""), body));

      assertThat(answer.status).isEqualTo(400);
    }
  }

  @Test
  void agentsCannotStartWatches() throws IOException {
    for (var authorization : List.of(machine(), token("agent@lab", "")))
      assertThat(call(new TestHttp.Request("/v1/watch", authorization, "{}")).status)
          .isEqualTo(403);
  }
}
