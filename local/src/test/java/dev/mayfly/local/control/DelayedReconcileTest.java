package dev.mayfly.local.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.local.ledger.SqliteLedger;
import dev.mayfly.porttests.DocumentFixtures;
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

/** A trigger within the pause between reconcile passes is acknowledged only after its pass. */
@Timeout(60)
class DelayedReconcileTest {
  private record Alarm(Instant at, Runnable task) {}

  @TempDir Path home;
  private final List<Trigger> triggers = new CopyOnWriteArrayList<>();
  private final LinkedBlockingQueue<Alarm> scheduled = new LinkedBlockingQueue<>();
  private volatile Instant now = DocumentFixtures.T0;
  private SqliteLedger ledger;
  private ControlPlaneFunctions controlPlaneFunctions;

  @BeforeEach
  void start() {
    ledger = SqliteLedger.open(home);
    var cluster = DocumentFixtures.cluster("c1", Cluster.Phase.UP);
    var empty = cluster.withSpec(cluster.spec().with(List.of()), 1, Map.of());
    ledger.commit(List.of(new LedgerWrite.Create(empty)));
    var context =
        new Context(
            ledger,
            triggers::add,
            _ -> {},
            noFleet(),
            ObjectStores.of(Map.of()),
            Wire.codec(),
            (at, task) -> scheduled.add(new Alarm(at, task)),
            TickScheduler.always(),
            new CountedIds(),
            () -> now,
            Timings.DEFAULT);
    controlPlaneFunctions = ControlPlaneFunctions.of(context, "test", "http://workers");
  }

  @AfterEach
  void stop() {
    controlPlaneFunctions.close();
    ledger.close();
  }

  private static Fleet noFleet() {
    return (Fleet)
        Proxy.newProxyInstance(
            DelayedReconcileTest.class.getClassLoader(),
            new Class<?>[] {Fleet.class},
            (self, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private void look() {
    try {
      var data = Wire.shared().trigger(new Trigger.Reconcile("c1"));
      var message =
          "{\"message\":{\"data\":\"%s\",\"messageId\":\"1\",\"publishTime\":\"2026-01-02T03:04:06Z\",\"attributes\":{\"mayfly-trigger\":\"1\"}}}"
              .formatted(Base64.getEncoder().encodeToString(data));
      controlPlaneFunctions
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
  void oneCallWaitsAndOthersReturn() throws Exception {
    look();
    var waiting = CompletableFuture.runAsync(this::look);
    var alarm = scheduled.poll(30, TimeUnit.SECONDS);
    assertThat(alarm.at()).isEqualTo(now.plus(Timings.DEFAULT.reconcilePause()));
    look();

    assertThat(waiting).isNotDone();
    now = alarm.at().plusMillis(1);
    alarm.task().run();
    waiting.get(30, TimeUnit.SECONDS);
    assertThat(scheduled).isEmpty();
    assertThat(triggers).isEmpty();
  }

  private static final class CountedIds implements IdGenerator {
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
