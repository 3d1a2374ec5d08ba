package dev.mayfly.fuzz;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.fuzz.FuzzTargets.NamedTarget;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fake.FleetObserver;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIdGenerator;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fake.SimObjectStore;
import dev.mayfly.sim.fake.SimTickScheduler;
import dev.mayfly.sim.fault.FaultInjector;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * Pub/Sub events, through the deployed functions and the control plane behind them. An event is
 * accepted or rejected, and is never redelivered: it is too old to wait for anything it names.
 */
final class EventTargets {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final Duration AGE = Duration.ofMinutes(1);
  private static final String AUDIT =
      """
      {"protoPayload":{"methodName":"v1.compute.instances.delete",
        "resourceName":"projects/p/zones/us-central1-a/instances/lab-cpu-1"},
       "resource":{"labels":{"instance_id":"77"}},"operation":{"last":true},
       "timestamp":"2026-11-01T00:00:00Z"}\
      """;

  private EventTargets() {}

  static List<FuzzTarget> all() {
    return List.of(
        new NamedTarget("submissions", SeedCorpus.messages(), EventTargets::submission),
        new NamedTarget(
            "deliveries",
            List.of(delivery(SeedCorpus.bytes(SeedCorpus.JOB)), delivery(SeedCorpus.bytes("{}"))),
            EventTargets::taken),
        new NamedTarget("audit", SeedCorpus.texts(AUDIT), EventTargets::audit));
  }

  private static boolean submission(byte[] message) throws Exception {
    try (var there = deployment()) {
      there.clusters().accept(event(delivery(SeedCorpus.bytes(SeedCorpus.CLUSTER))));
      there.jobs().accept(event(delivery(message)));
      there.clusters().accept(event(delivery(message)));
      return true;
    }
  }

  private static boolean taken(byte[] envelope) throws Exception {
    try (var there = deployment()) {
      there.jobs().accept(event(envelope));
      there.vmEvents().accept(event(envelope));
      return true;
    }
  }

  private static boolean audit(byte[] entry) throws Exception {
    try (var there = deployment()) {
      there.vmEvents().accept(event(delivery(entry)));
      return true;
    }
  }

  private static byte[] delivery(byte[] data) {
    var text = Base64.getEncoder().encodeToString(data);
    return SeedCorpus.bytes(
        "{\"message\":{\"data\":\"%s\",\"messageId\":\"m1\",\"publishTime\":\"%s\",\"attributes\":{}}}"
            .formatted(text, NOW));
  }

  private static CloudEvent event(byte[] data) {
    return CloudEventBuilder.v1()
        .withId("e1")
        .withSource(URI.create("//pubsub.googleapis.com/projects/lab/topics/mayfly-jobs"))
        .withType("google.cloud.pubsub.topic.v1.messagePublished")
        .withData("application/json", data)
        .build();
  }

  static ControlPlaneFunctions deployment() {
    var time = new SimTime(NOW.plus(AGE));
    var fleet =
        new SimFleet(time, new SimRandom(3), FaultInjector.none(new Trace(time)), new NoPower());
    var context =
        new Context(
            new SimLedger(time, () -> Duration.ZERO),
            trigger -> {},
            _ -> {},
            fleet,
            new SimObjectStore(time),
            Wire.codec(),
            time,
            new SimTickScheduler(),
            new SimIdGenerator(new SimRandom(5)),
            time,
            Timings.DEFAULT);
    return ControlPlaneFunctions.of(context, "f1", "http://workers");
  }

  /** Machines that are never powered on. */
  private record NoPower() implements FleetObserver {
    @Override
    public void on(SimMachine machine) {}

    @Override
    public void off(SimMachine machine) {}

    @Override
    public void notice(SimMachine machine) {}

    @Override
    public void deleteAsked(SimMachine machine) {}
  }
}
