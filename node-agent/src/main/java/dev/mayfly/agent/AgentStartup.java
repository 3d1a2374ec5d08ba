package dev.mayfly.agent;

import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.machine.MetadataClient;
import dev.mayfly.agent.machine.TpuHost;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.sync.SyncReport.BootStep;
import dev.mayfly.core.model.worker.Incarnation;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The steps from process start to the first report, with their durations. */
public final class AgentStartup {
  /** The machine's internal address, on Compute Engine and on TPU hosts. */
  static final String ADDRESS = "instance/network-interfaces/0/ip";

  private final Map<String, String> environment;
  private final List<BootStep> steps = new ArrayList<>();

  public AgentStartup(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Adds the steps of the startup script, one per line: name, milliseconds and error, separated by
   * tabs. Ignores malformed lines.
   */
  void addScriptSteps() {
    var file = environment.get("MAYFLY_BOOT_STEPS");
    if (file == null) {
      return;
    }
    try {
      for (var line : Files.readAllLines(Path.of(file))) {
        var fields = line.split("\t", 3);
        if (fields.length == 3 && fields[1].matches("\\d{1,12}")) {
          var took = Duration.ofMillis(Long.parseLong(fields[1]));
          var error = Optional.of(fields[2]).filter(text -> !text.isEmpty());
          steps.add(new BootStep(fields[0], took, error));
        }
      }
    } catch (IOException e) {
      steps.add(new BootStep("startup script", Duration.ZERO, Optional.of("left no " + file)));
    }
  }

  /** The process has started: earlier ones that failed are steps of this boot. */
  void addFailedStarts() {
    new FailedStarts(environment).forget().ifPresent(steps::add);
  }

  List<BootStep> steps() {
    return List.copyOf(steps);
  }

  /** Reads the machine's settings. Throws {@link UnavailableException} or InvalidInputException. */
  public NodeSettings settings(Optional<MetadataClient> metadataClient) {
    long begin = System.nanoTime();
    var attributes = new HashMap<String, String>();
    metadataClient.ifPresent(server -> {
      server.find(ADDRESS).ifPresent(ip -> attributes.put("mayfly-address", ip.strip()));
      TpuHost.of(server::attribute)
          .ifPresent(tpuHost -> {
            attributes.put("mayfly-host", Integer.toString(tpuHost.rank()));
            attributes.put("mayfly-address", tpuHost.address());
          });
      NodeSettings.keys()
          .forEach(key -> server.attribute(key).ifPresent(value -> attributes.put(key, value)));
    });
    var nodeSettings = NodeSettings.from(attributes, environment);
    addStep("metadata", begin, Optional.empty());
    return nodeSettings;
  }

  /** Locks the work directory; kills and deletes what an earlier incarnation left there. */
  WorkDir workDir(NodeSettings nodeSettings) throws IOException {
    long begin = System.nanoTime();
    var link = Optional.ofNullable(environment.get("MAYFLY_VM_TMP"));
    var workDir = WorkDir.open(nodeSettings.workDir(), link.map(Path::of));
    var left = ProcessTreeKiller.killEarlier(workDir.root(), nodeSettings.times().killPatience());
    if (!left.confirmed()) {
      throw new IOException(
          "processes of an earlier agent cannot be killed: "
              + left.left()
              + "; restart the machine");
    }
    workDir.clean();
    addStep("left processes", begin, Optional.empty());
    return workDir;
  }

  /** What ends this agent's tasks if it is killed on a machine of one's own. */
  TaskGuard guard(WorkDir workDir) {
    return ParentWatch.wanted(environment) ? TaskGuard.of(workDir.root()) : TaskGuard.none();
  }

  /** The identity of this process: machine, boot and start. */
  Incarnation incarnation(
      NodeSettings nodeSettings, Optional<MetadataClient> metadataClient, Instant start)
      throws IOException {
    var instance =
        metadataClient
            .flatMap(server -> server.find("instance/id"))
            .or(nodeSettings::instanceId)
            .orElse(InetAddress.getLocalHost().getHostName());
    var boot = environment.get("MAYFLY_BOOT_ID");
    if (boot == null) {
      var file = Path.of("/proc/sys/kernel/random/boot_id");
      boot = Files.exists(file) ? Files.readString(file).strip() : "unknown";
    }
    return new Incarnation(instance, boot, start);
  }

  private void addStep(String name, long begin, Optional<String> error) {
    steps.add(new BootStep(name, Duration.ofNanos(System.nanoTime() - begin), error));
  }
}
