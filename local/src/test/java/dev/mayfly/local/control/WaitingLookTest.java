package dev.mayfly.local.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Schedule;
import dev.mayfly.core.port.Write;
import dev.mayfly.functions.Deployment;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.local.ledger.SqliteLedger;
import dev.mayfly.porttests.Samples;
import dev.mayfly.wire.Wire;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A look within the pause of a round is acknowledged when its round is over, and not before. */
@Timeout(60)
class WaitingLookTest {
  private record Alarm(Instant at, Runnable task) {}

  @TempDir Path home;
  private final List<Hint> hints = new CopyOnWriteArrayList<>();
  private final LinkedBlockingQueue<Alarm> alarms = new LinkedBlockingQueue<>();
  private volatile Instant now = Samples.T0;
  private SqliteLedger ledger;
  private Deployment deployment;

  @BeforeEach
  void start() {
    ledger = SqliteLedger.open(home);
    var cluster = Samples.cluster("c1", Cluster.Phase.UP);
    var empty = cluster.changed(cluster.spec().with(List.of()), 1, Map.of());
    ledger.commit(List.of(new Write.Create(empty)));
    var ports =
        new Ports(
            ledger,
            hints::add,
            noFleet(),
            ObjectStores.of(Map.of()),
            Wire.codec(),
            (at, task) -> alarms.add(new Alarm(at, task)),
            Schedule.always(),
            new CountedIds(),
            () -> now);
    deployment = Deployment.of(ports, Rules.DEFAULT, "test", "http://workers");
  }

  @AfterEach
  void stop() {
    deployment.close();
    ledger.close();
  }

  private static Fleet noFleet() {
    return (Fleet)
        Proxy.newProxyInstance(
            WaitingLookTest.class.getClassLoader(),
            new Class<?>[] {Fleet.class},
            (self, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private void look() {
    try {
      var data = Wire.shared().hint(new Hint.Look("c1"));
      var message =
          "{\"message\":{\"data\":\"%s\",\"messageId\":\"1\",\"publishTime\":\"2026-01-02T03:04:06Z\",\"attributes\":{\"mayfly-hint\":\"1\"}}}"
              .formatted(Base64.getEncoder().encodeToString(data));
      deployment
          .autoscale()
          .accept(
              CloudEventBuilder.v1()
                  .withId("1")
                  .withSource(URI.create("//pubsub"))
                  .withType("google.cloud.pubsub.topic.v1.messagePublished")
                  .withData("application/json", message.getBytes(StandardCharsets.UTF_8))
                  .build());
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Test
  void oneCallWaitsAndTheOthersAreDone() throws Exception {
    look();
    var waiting = CompletableFuture.runAsync(this::look);
    var alarm = alarms.poll(30, TimeUnit.SECONDS);
    assertThat(alarm.at()).isEqualTo(now.plus(Rules.DEFAULT.roundPause()));
    look();

    assertThat(waiting).isNotDone();
    now = alarm.at().plusMillis(1);
    alarm.task().run();
    waiting.get(30, TimeUnit.SECONDS);
    assertThat(alarms).isEmpty();
    assertThat(hints).isEmpty();
  }

  private static final class CountedIds implements Ids {
    private int n;

    @Override
    public synchronized String next(int length) {
      return "%0200d".formatted(++n).substring(200 - length);
    }

    @Override
    public synchronized String secret() {
      return "secret-" + ++n;
    }
  }
}
