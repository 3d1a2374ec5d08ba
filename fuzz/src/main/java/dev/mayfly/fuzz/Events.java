package dev.mayfly.fuzz;

import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.functions.Deployment;
import dev.mayfly.fuzz.EntryPoints.Named;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIds;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fake.SimObjects;
import dev.mayfly.sim.fake.SimSchedule;
import dev.mayfly.sim.fake.SimTime;
import dev.mayfly.sim.fake.Trace;
import dev.mayfly.sim.fake.Weather;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * What comes by Pub/Sub, through the deployed functions and the control plane behind them. An event
 * is taken or refused, and comes again for neither: it is old enough that whatever it names would
 * have come.
 */
final class Events {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final Duration AGE = Duration.ofMinutes(1);
  private static final String AUDIT =
      """
      {"protoPayload":{"methodName":"v1.compute.instances.delete",
        "resourceName":"projects/p/zones/us-central1-a/instances/lab-cpu-1"},
       "resource":{"labels":{"instance_id":"77"}},"operation":{"last":true},
       "timestamp":"2026-11-01T00:00:00Z"}\
      """;

  private Events() {}

  static List<EntryPoint> all() {
    return List.of(
        new Named("submissions", Seeds.messages(), Events::submission),
        new Named(
            "deliveries",
            List.of(delivery(Seeds.bytes(Seeds.JOB)), delivery(Seeds.bytes("{}"))),
            Events::taken),
        new Named("audit", Seeds.texts(AUDIT), Events::audit));
  }

  private static boolean submission(byte[] message) throws Exception {
    try (var there = deployment()) {
      there.clusters().accept(event(delivery(Seeds.bytes(Seeds.CLUSTER))));
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
    return Seeds.bytes(
        "{\"message\":{\"data\":\"%s\",\"messageId\":\"m1\",\"publishTime\":\"%s\",\"attributes\":{}}}"
            .formatted(text, NOW));
  }

  private static CloudEvent event(byte[] data) {
    return CloudEventBuilder.v1()
        .withId("e1")
        .withSource(URI.create("//pubsub"))
        .withType("google.cloud.pubsub.topic.v1.messagePublished")
        .withData("application/json", data)
        .build();
  }

  static Deployment deployment() {
    var time = new SimTime(NOW.plus(AGE));
    var fleet = new SimFleet(time, new Dice(3), Weather.calm(new Trace(time)), new Dark());
    var ports =
        new Ports(
            new SimLedger(time, () -> Duration.ZERO),
            hint -> {},
            fleet,
            new SimObjects(time),
            Wire.codec(),
            time,
            new SimSchedule(),
            new SimIds(new Dice(5)),
            time);
    return Deployment.of(ports, Rules.DEFAULT, "f1", "http://workers");
  }

  /** Machines that nobody switches on. */
  private record Dark() implements SimFleet.Power {
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
