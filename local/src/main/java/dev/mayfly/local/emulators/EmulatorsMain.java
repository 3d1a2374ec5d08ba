package dev.mayfly.local.emulators;

import dev.mayfly.functions.os.LogLine;
import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.pubsub.Topics;
import dev.mayfly.local.control.ControlSettings;
import dev.mayfly.local.control.Door;
import dev.mayfly.local.control.Ticker;
import dev.mayfly.local.guard.Guard;
import dev.mayfly.local.guard.LocalAccounts;
import dev.mayfly.local.guard.OwnerToken;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The laptop's control plane as it is on Google Cloud: both emulators, each function in processes
 * of its own, and what Cloud Run, Eventarc and Cloud Scheduler do between them. All of it ends with
 * this process, state included. Settings: {@link ControlSettings}. Exit code 78 means that it can't
 * start as it is set up.
 */
public final class EmulatorsMain {
  private static final Logger LOG = LoggerFactory.getLogger(EmulatorsMain.class);
  private static final int BAD_SETUP = 78;

  /** Each function: its class, its topic unless it answers HTTP, and how many instances it has. */
  private record Function(String name, String target, Optional<String> topic, int instances) {}

  private static final List<Function> FUNCTIONS =
      List.of(
          new Function("jobs", "Jobs", Optional.of(Topics.JOBS), 1),
          new Function("clusters", "Clusters", Optional.of(Topics.CLUSTERS), 1),
          new Function("autoscale", "Autoscale", Optional.of(Topics.TICKS), 1),
          new Function("cleanup", "Cleanup", Optional.of(Topics.TICKS), 1),
          new Function("vm-events", "VmEvents", Optional.of(Topics.VM_EVENTS), 1),
          new Function("workers", "Workers", Optional.empty(), 3),
          new Function("api", "Api", Optional.empty(), 1));

  private EmulatorsMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    LogLine.install();
    try {
      start(ControlSettings.from(System.getenv()));
      new CountDownLatch(1).await();
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("the control plane can't start: {}", e.getMessage());
      System.exit(BAD_SETUP);
    }
  }

  private static void start(ControlSettings settings) throws IOException, InterruptedException {
    var sdk =
        GoogleSdk.find(System.getenv())
            .orElseThrow(
                () -> new IOException("Google's emulators are missing; " + GoogleSdk.REMEDY));
    var logs = settings.home().resolve("logs");
    var firestorePort = FreePort.find();
    var pubsubPort = settings.port() + 1;
    var pubsub = Emulator.start(sdk, Emulator.Kind.PUBSUB, pubsubPort, logs.resolve("pubsub.log"));
    var firestore =
        Emulator.start(sdk, Emulator.Kind.FIRESTORE, firestorePort, logs.resolve("firestore.log"));
    for (var emulator : List.of(pubsub, firestore)) {
      var _ = emulator.process().onExit().thenRun(() -> ended(emulator));
    }
    var proxies = List.of(DroppingProxy.start(firestorePort), DroppingProxy.start(pubsubPort));
    var owner = OwnerToken.read(settings.home());
    var env = environment(settings, owner, proxies.get(0).host(), proxies.get(1).host());
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var functions = new HashMap<String, Instances>();
    for (var function : FUNCTIONS) functions.put(function.name(), run(function, client, env, logs));
    new WarmUp().await(functions.values(), Objects.requireNonNull(functions.get("api")));
    deliver(new Subscriptions(pubsub.host(), settings.project()), functions);
    var account = LocalAccounts.functions(settings.project());
    var door = new Door(settings.cloud());
    var _ =
        new Front(functions, proxies, account, door::refusal, InstantSource.system())
            .start(settings.port(), Guard.of(owner));
    var bus = PubSub.bus(new PubSubSettings(settings.project(), Optional.of(pubsub.host())));
    new Ticker(bus, settings.tick()).start();
    LOG.info("the control plane serves http://127.0.0.1:{}", settings.port());
  }

  private static Instances run(
      Function function, HttpClient client, Map<String, String> env, Path logs) throws IOException {
    var processes = new ArrayList<FunctionProcess>();
    for (var i = 1; i <= function.instances(); i++) {
      var name = function.instances() == 1 ? function.name() : function.name() + "-" + i;
      var target = "dev.mayfly.functions." + function.target();
      var process = new FunctionProcess(name, target, FreePort.find(), env, logs);
      process.start();
      processes.add(process);
    }
    return new Instances(client, processes);
  }

  private static void deliver(Subscriptions subscriptions, Map<String, Instances> functions)
      throws IOException, InterruptedException {
    subscriptions.makeTopics();
    for (var function : FUNCTIONS) {
      if (function.topic().isEmpty()) continue;
      var instances = functions.get(function.name());
      if (instances != null)
        new Eventarc(subscriptions, "mayfly-" + function.name(), function.topic().get(), instances)
            .start();
    }
  }

  private static Map<String, String> environment(
      ControlSettings settings, OwnerToken owner, String firestore, String pubsub)
      throws IOException {
    var front = "127.0.0.1:" + settings.port();
    var accounts = LocalAccounts.of(settings.project());
    var grpc = Files.readString(settings.home().resolve("cloud/grpc-endpoint"));
    return Map.ofEntries(
        Map.entry("GOOGLE_CLOUD_PROJECT", settings.project()),
        Map.entry("MAYFLY_WORKERS_URL", "http://" + front + "/workers"),
        Map.entry("MAYFLY_AGENT_ACCOUNT", accounts.agent()),
        Map.entry("MAYFLY_AUTOSCALE_ACCOUNT", accounts.autoscale()),
        Map.entry("MAYFLY_STATIC_ACCOUNTS", String.join(",", accounts.own())),
        Map.entry("MAYFLY_TICK_SECONDS", Long.toString(settings.tick().toSeconds())),
        Map.entry("FIRESTORE_EMULATOR_HOST", firestore),
        Map.entry("PUBSUB_EMULATOR_HOST", pubsub),
        Map.entry("MAYFLY_COMPUTE_ENDPOINT", settings.cloud()),
        Map.entry("MAYFLY_TPU_ENDPOINT", grpc.strip()),
        Map.entry("MAYFLY_STORAGE_ENDPOINT", settings.cloud()),
        Map.entry("MAYFLY_ENDPOINT_TOKEN", owner.text()),
        Map.entry("GCE_METADATA_HOST", front));
  }

  /** Without its state or its messages nothing here is worth anything. */
  private static void ended(Emulator emulator) {
    LOG.error("the emulator at {} ended, and with it all that it held", emulator.host());
    Runtime.getRuntime().halt(1);
  }
}
