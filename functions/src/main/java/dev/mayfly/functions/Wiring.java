package dev.mayfly.functions;

import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Schedule;
import dev.mayfly.functions.os.Host;
import dev.mayfly.functions.os.LogLine;
import dev.mayfly.gcp.StartupScript;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcp.firestore.FirestoreSettings;
import dev.mayfly.gcp.firestore.FirestoreState;
import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.scheduler.CloudScheduler;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.gcp.tpu.TpuSettings;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.wire.Wire;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The deployment of a function on Google Cloud, made by hand from its settings. Clients connect
 * when they are first used, so that an instance pays only for what its function needs.
 */
final class Wiring {
  private static final Duration LONGEST_VIGIL = Duration.ofSeconds(58);

  private Wiring() {}

  /** The job of Cloud Scheduler that ticks. */
  static final String TICK_JOB = "mayfly-autoscale";

  /** Made when the first function of the process asks. */
  private static final class Shared {
    static final Deployment DEPLOYMENT;

    static {
      LogLine.install();
      DEPLOYMENT = deployment(Settings.from(System.getenv()));
    }
  }

  /** The one deployment of this process. */
  static Deployment shared() {
    return Shared.DEPLOYMENT;
  }

  static Deployment deployment(Settings settings) {
    var clock = InstantSource.system();
    var ids = Host.ids();
    var ports =
        new Ports(
            FirestoreState.open(firestore(settings)).ledger(),
            PubSub.bus(new PubSubSettings(settings.project(), settings.emulators().pubsub())),
            fleet(settings),
            ObjectStores.withoutFiles(store(settings)),
            Wire.codec(),
            Host.alarmsOfCalls(clock),
            schedule(settings),
            ids,
            clock);
    var identity =
        settings.identity()
            ? Identity.required(settings.workersUrl(), settings.accounts(), clock)
            : Identity.notAsked();
    var token =
        settings.identity()
            ? Optional.of(MetadataToken.ofEnvironment())
            : Optional.<MetadataToken>empty();
    var vigil = new HttpVigil(settings.workersUrl(), span(settings.tick()), token);
    return Deployment.of(
        ports, Rules.DEFAULT, "f-" + ids.next(8), settings.workersUrl(), vigil, identity);
  }

  /** A little less than from tick to tick, so that one vigil does not meet the next. */
  private static Duration span(Duration tick) {
    var span = tick.minusSeconds(2);
    if (span.isNegative()) return Duration.ZERO;
    return span.compareTo(LONGEST_VIGIL) < 0 ? span : LONGEST_VIGIL;
  }

  private static FirestoreSettings firestore(Settings settings) {
    return new FirestoreSettings(
        settings.project(), settings.database(), settings.emulators().firestore());
  }

  private static StoreSettings store(Settings settings) {
    var others = settings.emulators();
    return new StoreSettings(others.storage().map(URI::create), others.token(), settings.project());
  }

  /** Terraform makes the job; without a region nobody knows where, and ticks come for ever. */
  private static Schedule schedule(Settings settings) {
    return settings
        .region()
        .map(region ->
            "projects/" + settings.project() + "/locations/" + region + "/jobs/" + TICK_JOB)
        .map(job ->
            CloudScheduler.schedule(
                job, settings.emulators().standIn(settings.emulators().scheduler())))
        .orElseGet(Schedule::always);
  }

  private static Fleet fleet(Settings settings) {
    var plain = ComputeSettings.of(settings.project());
    var compute =
        new ComputeSettings(
            settings.project(),
            settings.emulators().standIn(settings.emulators().compute()),
            plain.image(),
            plain.diskGb(),
            settings.network(),
            settings.subnetwork(),
            settings.agentAccount(),
            metadata(settings));
    var tpu =
        new TpuSettings(
            settings.project(),
            settings.emulators().standIn(settings.emulators().tpu()),
            Optional.empty(),
            Optional.of(settings.network()),
            settings.subnetwork(),
            settings.agentAccount(),
            metadata(settings));
    return CloudTpu.beside(ComputeEngine.fleet(compute), CloudTpu.fleet(tpu));
  }

  /** What machines are told beside what the control plane tells each. */
  private static Map<String, String> metadata(Settings settings) {
    var items = new HashMap<String, String>();
    items.put("mayfly-project", settings.project());
    items.put("mayfly-identity", Boolean.toString(settings.identity()));
    settings
        .bundle()
        .ifPresent(bundle -> items.putAll(StartupScript.items(bundle.url(), bundle.sha256())));
    return items;
  }
}
