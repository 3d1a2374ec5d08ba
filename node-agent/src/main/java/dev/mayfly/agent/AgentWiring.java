package dev.mayfly.agent;

import dev.mayfly.agent.boot.FilestoreLookup;
import dev.mayfly.agent.boot.PreparationPlan;
import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.container.RegistryLogin;
import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.files.DiskWatch;
import dev.mayfly.agent.files.StartRecord;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.machine.LocalAddress;
import dev.mayfly.agent.machine.MachineGpus;
import dev.mayfly.agent.machine.MachineUseWatch;
import dev.mayfly.agent.machine.MetadataClient;
import dev.mayfly.agent.machine.MountUseWatch;
import dev.mayfly.agent.machine.MpsFolders;
import dev.mayfly.agent.machine.PreemptionWatch;
import dev.mayfly.agent.task.BaseEnvironment;
import dev.mayfly.agent.task.TaskContext;
import dev.mayfly.agent.task.TaskContext.Tools;
import dev.mayfly.agent.task.TaskExecutor;
import dev.mayfly.agent.task.TaskUsers;
import dev.mayfly.core.agent.Agent;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.output.ObjectEffectExecutor;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles the agent; only this class names clocks, threads and adapters. */
final class AgentWiring {
  private static final Logger LOG = LoggerFactory.getLogger(AgentWiring.class);

  private final Map<String, String> environment;
  private final Optional<MetadataClient> metadataClient;
  private final NodeSettings nodeSettings;
  private final AgentStartup agentStartup;
  private final CredentialWiring credentials;
  private final AgentExit agentExit;
  private final ThreadFactory threads;
  private final Executor each;
  private final MachineGpus gpus;

  private AgentWiring(
      Map<String, String> environment,
      Optional<MetadataClient> metadataClient,
      NodeSettings nodeSettings,
      AgentStartup agentStartup) {
    this.environment = environment;
    this.metadataClient = metadataClient;
    this.nodeSettings = nodeSettings;
    this.credentials = new CredentialWiring(environment, metadataClient, nodeSettings);
    this.agentStartup = agentStartup;
    this.agentExit = new AgentExit(nodeSettings.times().quitPatience());
    this.threads =
        Thread.ofVirtual().name("work-", 0).uncaughtExceptionHandler(this::bug).factory();
    this.each = work -> threads.newThread(work).start();
    this.gpus =
        MachineGpus.of(
            environment,
            nodeSettings.workerInfo().visible(),
            Optional.of(MpsFolders.in(nodeSettings.workDir()))
                .filter(_ -> nodeSettings.equipment().mps()));
  }

  static AgentWiring of(Map<String, String> environment) {
    var metadata =
        NodeSettings.hasMetadata(environment)
            ? Optional.of(MetadataClient.of(environment))
            : Optional.<MetadataClient>empty();
    var startup = new AgentStartup(environment);
    return new AgentWiring(environment, metadata, startup.settings(metadata), startup);
  }

  /** Runs the agent and returns the process's exit code. */
  int run() throws IOException {
    var clock = Clock.systemUTC();
    var start = clock.instant();
    var engine = containers();
    var tools = CompletableFuture.supplyAsync(() -> Tools.find(environment).with(engine), each);
    agentStartup.addScriptSteps();
    try (var workDir = agentStartup.workDir(nodeSettings);
        var _ = agentStartup.guard(workDir)) {
      engine.removeAll(ContainerEngine.prefix(workDir.root().toString()), each);
      var recordedStart = new StartRecord(workDir).next(start);
      var agent = agent(recordedStart, new ClockReading(clock.instant(), System.nanoTime()));
      var effects = new DeferredEffectExecutor();
      var loop = new EventLoop(agent::on, effects, clock, System::nanoTime);
      var users = isolation().users();
      connect(
          effects,
          loop,
          new TaskContext(
              workDir,
              new DiskHealth(workDir),
              tools,
              users,
              mountVariables(),
              credentials.taskAccess(),
              new TaskContext.Gpus(gpus::memory, gpus.mps())));
      watchNotices(loop, clock);
      agentExit.onSignal(() -> loop.accept(new AgentEvent.StopRequested()));
      if (ParentWatch.wanted(environment)) watchParent(loop);
      prepare(loop, engine, users);
      measureMounts(loop);
      measureGpus(loop);
      measureMachine(loop);
      agentStartup.addFailedStarts();
      loop.accept(new AgentEvent.Started(agentStartup.steps()));
      Thread.ofPlatform().name("loop").uncaughtExceptionHandler(this::bug).start(loop);
      var unused = tools.thenAcceptAsync(found -> reportGaps(found, users, loop), each);
      return agentExit.await();
    }
  }

  private Agent agent(Instant start, ClockReading now) throws IOException {
    var incarnation = agentStartup.incarnation(nodeSettings, metadataClient, start);
    LOG.info("agent starts worker={} {}", nodeSettings.workerInfo().worker(), incarnation);
    var seed = incarnation.hashCode();
    return new Agent(
        nodeSettings.workerInfo(), incarnation, loopSettings(), new SplittableRandom(seed), now);
  }

  private void connect(DeferredEffectExecutor effects, EventLoop loop, TaskContext taskContext)
      throws IOException {
    var objectStore = objects();
    var executionContext = new TaskExecutor.ExecutionContext(each, Clock.systemUTC(), loop);
    var times = nodeSettings.times();
    var uploadPolicy =
        new LogUploader.UploadPolicy(times.logFirst(), times.logLast(), nodeSettings.logCap());
    var logUploader = new LogUploader(objectStore, uploadPolicy, each);
    var base = BaseEnvironment.from(environment, taskContext.workDir().home());
    var taskExecutor =
        new TaskExecutor(
            taskContext,
            base,
            times.killPatience(),
            objectStore,
            credentials.secrets(),
            logUploader,
            executionContext);
    var info = nodeSettings.workerInfo();
    var objectEffectExecutor = new ObjectEffectExecutor(objectStore, Wire.codec(), info.worker());
    var calls =
        new SyncClient(
            info.workersUrl(),
            environment.getOrDefault(StoreSettings.TOKEN, ""),
            credentials.identity(),
            each,
            loop);
    effects.set(
        new EffectExecutor(
            calls, taskExecutor, logUploader, objectEffectExecutor, agentExit, executionContext));
    each.execute(
        new DiskWatch(taskContext.disk(), what -> loop.accept(new AgentEvent.DiskUnusable(what))));
    each.execute(
        new MaintenanceLoop(taskExecutor, logUploader, taskContext.disk(), loop, times.logFirst()));
  }

  private void watchNotices(EventLoop loop, Clock clock) {
    Runnable notice = () -> loop.accept(new AgentEvent.PreemptionNoticed(clock.instant()));
    metadataClient.ifPresent(server -> {
      for (var kind : PreemptionWatch.Notice.values())
        each.execute(new PreemptionWatch(server, kind, notice));
    });
  }

  private void watchParent(EventLoop loop) {
    Runnable parentGone =
        () -> agentExit.parentEnded(() -> loop.accept(new AgentEvent.StopNowRequested()));
    // Reading standard input would block a virtual thread's carrier, so use a platform thread.
    Thread.ofPlatform()
        .daemon()
        .name("lifeline")
        .uncaughtExceptionHandler(this::bug)
        .start(new ParentWatch(System.in, parentGone));
  }

  /** Starts the machine's preparation; without any step, the agent takes tasks at once. */
  private void prepare(EventLoop loop, ContainerEngine engine, TaskUsers users) {
    var plan =
        new PreparationPlan(
            nodeSettings.equipment().image(),
            nodeSettings.equipment().registries(),
            nodeSettings.equipment().mounts(),
            nodeSettings.equipment().seeds(),
            nodeSettings.workerInfo().worker(),
            gpus,
            filestore(),
            users.usual(),
            environment);
    if (plan.isEmpty()) return;
    var machinePreparation = plan.preparation(agentStartup.steps(), engine, loop);
    machinePreparation.announce();
    each.execute(machinePreparation);
  }

  private void measureMounts(EventLoop loop) {
    var mountUseWatch =
        new MountUseWatch(
            nodeSettings.equipment().mounts(),
            uses -> loop.accept(new AgentEvent.MountsMeasured(uses)),
            Path.of("/proc/self/mounts"));
    if (mountUseWatch.isEmpty()) return;
    // A server that does not answer would block a virtual thread's carrier.
    Thread.ofPlatform()
        .daemon()
        .name("mounts")
        .uncaughtExceptionHandler(this::bug)
        .start(mountUseWatch);
  }

  private void measureGpus(EventLoop loop) {
    gpus.watch(
            uses -> loop.accept(new AgentEvent.GpusMeasured(uses)),
            why -> loop.accept(new AgentEvent.DevicesLost(why)))
        .ifPresent(each::execute);
  }

  private void measureMachine(EventLoop loop) {
    each.execute(
        new MachineUseWatch(
            Path.of("/proc"), use -> loop.accept(new AgentEvent.MachineMeasured(use))));
  }

  private ContainerEngine containers() {
    var shared = nodeSettings.equipment().mounts().stream().map(Mount::path).toList();
    var folder = WorkDir.registry(nodeSettings.workDir());
    var login = new RegistryLogin(folder, credentials.access(), credentials.secrets());
    return new ContainerEngine(BaseEnvironment.from(environment), login, shared, Thread::sleep);
  }

  /** Where tasks find the mounts that have a name. */
  private Map<String, String> mountVariables() {
    var variables = new HashMap<String, String>();
    for (var mount : nodeSettings.equipment().mounts())
      mount.variable().ifPresent(name -> variables.put(name, mount.path()));
    return variables;
  }

  private ObjectStore objects() {
    var named = new HashMap<>(environment);
    if (!named.containsKey("GOOGLE_CLOUD_PROJECT")) {
      metadataClient
          .flatMap(MetadataClient::project)
          .ifPresent(project -> named.put("GOOGLE_CLOUD_PROJECT", project));
    }
    return ObjectStores.of(named);
  }

  private FilestoreLookup filestore() {
    var endpoint = environment.getOrDefault(StoreSettings.ENDPOINT, "https://file.googleapis.com");
    return new FilestoreLookup(endpoint, credentials::project, credentials.access());
  }

  private AgentSettings loopSettings() {
    var syncTimes = nodeSettings.pace();
    var standard = AgentSettings.DEFAULT;
    var sync = standard.sync();
    var syncing =
        new AgentSettings.Syncing(
            syncTimes.syncInterval(),
            sync.report(),
            sync.gap(),
            sync.settle(),
            syncTimes.waiting(),
            sync.limit(),
            sync.retryFirst(),
            sync.retryWithLeases(),
            sync.retryIdle());
    return new AgentSettings(
        nodeSettings.host(),
        syncing,
        new AgentSettings.Silence(syncTimes.cutOff(), syncTimes.powerOffAfter()),
        standard.ahead(),
        standard.clockSlack(),
        AgentSettings.graceWithin(nodeSettings.times().notice()),
        standard.killAgain(),
        standard.storeRetry(),
        standard.publishing(),
        nodeSettings
            .address()
            .orElseGet(() -> LocalAddress.towards(nodeSettings.workerInfo().workersUrl())));
  }

  private TaskIsolation isolation() {
    return new TaskIsolation(nodeSettings.users(), Path.of("/etc/passwd"), environment);
  }

  /** Reports missing limits and isolation to users; tasks run nevertheless. */
  private void reportGaps(Tools tools, TaskUsers users, EventLoop loop) {
    LOG.info("tools launcher={} orphans={}", tools.launcher().describe(), tools.orphans());
    var missing = new ArrayList<String>();
    tools.limits().unenforcedReason().ifPresent(missing::add);
    try {
      var server = metadataClient.map(m -> MetadataClient.host(environment));
      isolation().gaps(users, server).ifPresent(missing::add);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (missing.isEmpty()) return;
    var why = String.join("; ", missing);
    LOG.warn(MachineProblem.Kind.UNLIMITED.of(why).text());
    loop.accept(new AgentEvent.Unlimited(why));
  }

  /** Ends the process after an unexpected error; the next process kills whatever this one left. */
  private void bug(Thread thread, Throwable failure) {
    LOG.error("bug in thread {}", thread.getName(), failure);
    agentExit.end(AgentExit.BUG, failure.toString());
  }
}
