package dev.mayfly.agent;

import dev.mayfly.agent.boot.Equipping;
import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.container.RegistryLogin;
import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.Disk;
import dev.mayfly.agent.os.StartRecord;
import dev.mayfly.agent.os.WorkDir;
import dev.mayfly.agent.task.BaseEnvironment;
import dev.mayfly.agent.task.TaskUsers;
import dev.mayfly.agent.task.Tasks;
import dev.mayfly.agent.task.Workshop;
import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.AgentSettings;
import dev.mayfly.core.agent.Clocks;
import dev.mayfly.core.agent.Publication;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Mount;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Secrets;
import dev.mayfly.gcs.GoogleLogin;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the agent together: the one place here that names clocks, threads and adapters. */
final class Wiring {
  private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);
  private static final Duration TOKEN_PATIENCE = Duration.ofSeconds(5);

  private final Map<String, String> environment;
  private final Optional<Metadata> metadata;
  private final Settings settings;
  private final Birth birth;
  private final Ending ending;
  private final ThreadFactory threads;
  private final Executor each;

  private Wiring(
      Map<String, String> environment,
      Optional<Metadata> metadata,
      Settings settings,
      Birth birth) {
    this.environment = environment;
    this.metadata = metadata;
    this.settings = settings;
    this.birth = birth;
    this.ending = new Ending(settings.times().quitPatience());
    this.threads =
        Thread.ofVirtual().name("work-", 0).uncaughtExceptionHandler(this::bug).factory();
    this.each = work -> threads.newThread(work).start();
  }

  static Wiring of(Map<String, String> environment) {
    var metadata =
        Settings.hasMetadata(environment)
            ? Optional.of(Metadata.of(environment))
            : Optional.<Metadata>empty();
    var birth = new Birth(environment);
    return new Wiring(environment, metadata, birth.settings(metadata), birth);
  }

  /** Runs the agent; the process's exit code. */
  int run() throws IOException {
    var clock = Clock.systemUTC();
    var start = clock.instant();
    var engine = containers();
    var tools = CompletableFuture.supplyAsync(() -> Workshop.Tools.find().with(engine), each);
    birth.earlier();
    try (var workDir = birth.workDir(settings)) {
      engine.removeAll(ContainerEngine.prefix(workDir.root().toString()), each);
      var place = new StartRecord(workDir).next(start);
      var agent = agent(place, new Clocks(clock.instant(), System.nanoTime()));
      var performer = new Late();
      var loop = new EventLoop(agent::on, performer, clock, System::nanoTime);
      var users = isolation().users();
      connect(performer, loop, new Workshop(workDir, new Disk(workDir), tools, users));
      watch(loop, clock);
      ending.onSignal(() -> loop.accept(new AgentEvent.TimeToGo()));
      if (Lifeline.wanted(environment)) hold(loop);
      prepare(loop, engine, users);
      loop.accept(new AgentEvent.Started(birth.steps()));
      Thread.ofPlatform().name("loop").uncaughtExceptionHandler(this::bug).start(loop);
      var unused = tools.thenAcceptAsync(found -> tell(found, users, loop), each);
      return ending.await();
    }
  }

  private Agent agent(Instant start, Clocks now) throws IOException {
    var incarnation = birth.incarnation(settings, metadata, start);
    LOG.info("agent starts worker={} {}", settings.sheet().worker(), incarnation);
    var seed = incarnation.hashCode();
    return new Agent(
        settings.sheet(), incarnation, loopSettings(), new SplittableRandom(seed), now);
  }

  private void connect(Late performer, EventLoop loop, Workshop workshop) throws IOException {
    var objects = objects();
    var outward = new Tasks.Outward(each, loop);
    var times = settings.times();
    var pace = new Logs.Pace(times.logFirst(), times.logLast(), settings.logCap());
    var logs = new Logs(objects, pace, each);
    var base = BaseEnvironment.from(environment, workshop.workDir().home());
    var tasks = new Tasks(workshop, base, times.killPatience(), objects, secrets(), logs, outward);
    var sheet = settings.sheet();
    var publication = new Publication(objects, Wire.codec(), sheet.worker());
    var calls = new SyncCalls(sheet.workersUrl(), identity(), each, loop);
    performer.is(new Performer(calls, tasks, logs, publication, ending, outward));
    each.execute(new Rounds(tasks, logs, workshop.disk(), loop, times.logFirst()));
  }

  private void watch(EventLoop loop, Clock clock) {
    Runnable notice = () -> loop.accept(new AgentEvent.NoticeCame(clock.instant()));
    metadata.ifPresent(server -> {
      for (var sign : NoticeWatch.Sign.values())
        each.execute(new NoticeWatch(server, sign, notice));
    });
  }

  private void hold(EventLoop loop) {
    Runnable cut = () -> ending.orphaned(() -> loop.accept(new AgentEvent.GoNow()));
    // A platform thread: reading standard input would keep a carrier of virtual ones.
    Thread.ofPlatform()
        .daemon()
        .name("lifeline")
        .uncaughtExceptionHandler(this::bug)
        .start(new Lifeline(System.in, cut));
  }

  /** Nothing to prepare: tasks are taken at once. */
  private void prepare(EventLoop loop, ContainerEngine engine, TaskUsers users) {
    var visible = settings.sheet().visible();
    // A simulated machine has the devices that were ordered.
    var gpus = environment.containsKey("MAYFLY_VM") ? 0 : visible.gpuMillis() / 1000;
    var plan =
        new Equipping(
            settings.equipment().image(),
            settings.equipment().registries(),
            settings.equipment().mounts(),
            gpus,
            visible,
            users.usual(),
            environment);
    if (plan.isEmpty()) return;
    var preparation = plan.preparation(birth.steps(), engine, loop);
    preparation.announce();
    each.execute(preparation);
  }

  private ContainerEngine containers() {
    var shared = settings.equipment().mounts().stream().map(Mount::path).toList();
    var folder = WorkDir.registry(settings.workDir());
    var login = new RegistryLogin(folder, access(), secrets());
    return new ContainerEngine(BaseEnvironment.from(environment), login, shared, Thread::sleep);
  }

  private Objects objects() {
    var named = new HashMap<>(environment);
    if (!named.containsKey("GOOGLE_CLOUD_PROJECT")) {
      metadata
          .flatMap(Metadata::project)
          .ifPresent(project -> named.put("GOOGLE_CLOUD_PROJECT", project));
    }
    return ObjectStores.of(named);
  }

  /** Of the machine's service account; on a machine of one's own, of whoever is logged in. */
  private Supplier<String> access() {
    if (metadata.isPresent()) {
      return new AccessToken(metadata.get(), Clock.systemUTC());
    }
    // Another endpoint than Google's is shown no login of Google's.
    return environment.containsKey(StoreSettings.ENDPOINT)
        ? () -> environment.getOrDefault(StoreSettings.TOKEN, "nobody")
        : new GoogleLogin();
  }

  private Secrets secrets() {
    if (metadata.isEmpty() && settings.account().isEmpty()) {
      return reference -> {
        throw new MissingPermission(
            "secret " + reference + ": this machine has no identity to read it with");
      };
    }
    var endpoint =
        environment.getOrDefault(StoreSettings.ENDPOINT, "https://secretmanager.googleapis.com");
    return new GoogleSecrets(
        endpoint,
        () ->
            Optional.ofNullable(environment.get("GOOGLE_CLOUD_PROJECT"))
                .or(() -> metadata.flatMap(Metadata::project))
                .orElseThrow(() -> new Unavailable("the metadata server knows no project")),
        access());
  }

  /** A token in clear goes nowhere but to this machine itself. */
  private Optional<Identity> identity() {
    var url = settings.sheet().workersUrl();
    var host = String.valueOf(URI.create(url).getHost());
    var safe = url.startsWith("https://") || host.equals("127.0.0.1") || host.equals("localhost");
    if (!settings.identity() || !safe) {
      return Optional.empty();
    }
    if (settings.account().isPresent()) {
      var endpoint =
          environment.getOrDefault(StoreSettings.ENDPOINT, "https://iamcredentials.googleapis.com");
      var own = new OwnIdentity(endpoint, settings.account().get(), url, access());
      return Optional.of(new Identity(own, Clock.systemUTC()));
    }
    if (metadata.isEmpty()) {
      return Optional.empty();
    }
    var server = Metadata.of(environment, TOKEN_PATIENCE);
    return Optional.of(new Identity(() -> server.identityToken(url), Clock.systemUTC()));
  }

  private AgentSettings loopSettings() {
    var pace = settings.pace();
    var standard = AgentSettings.DEFAULT;
    var sync = standard.sync();
    var syncing =
        new AgentSettings.Syncing(
            pace.beat(),
            sync.report(),
            sync.gap(),
            sync.settle(),
            pace.waiting(),
            sync.limit(),
            sync.retryFirst(),
            sync.retryWithLeases(),
            sync.retryIdle());
    return new AgentSettings(
        settings.host(),
        syncing,
        new AgentSettings.Silence(pace.cutOff(), pace.powerOffAfter()),
        standard.ahead(),
        standard.clockSlack(),
        AgentSettings.graceWithin(settings.times().notice()),
        standard.killAgain(),
        standard.storeRetry(),
        standard.publishing(),
        settings.address().orElseGet(() -> OwnAddress.towards(settings.sheet().workersUrl())));
  }

  private Isolation isolation() {
    return new Isolation(settings.users(), Path.of("/etc/passwd"), environment);
  }

  /** Tasks run all the same; people are told what does not hold here. */
  private void tell(Workshop.Tools tools, TaskUsers users, EventLoop loop) {
    LOG.info("tools launcher={} orphans={}", tools.launcher().describe(), tools.orphans());
    var missing = new ArrayList<String>();
    tools.limits().whyNot().ifPresent(missing::add);
    try {
      var server = metadata.map(m -> Metadata.host(environment));
      isolation().whyNot(users, server).ifPresent(missing::add);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (missing.isEmpty()) return;
    var why = SyncReport.UNLIMITED + String.join("; ", missing);
    LOG.warn(why);
    loop.accept(new AgentEvent.Unlimited(why));
  }

  /** What nobody expected: a new process begins by killing all that this one may have forgotten. */
  private void bug(Thread thread, Throwable failure) {
    LOG.error("bug in thread {}", thread.getName(), failure);
    ending.end(Ending.BUG, failure.toString());
  }
}
