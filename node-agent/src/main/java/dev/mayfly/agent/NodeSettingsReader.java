package dev.mayfly.agent;

import static java.util.Map.entry;

import dev.mayfly.agent.setup.PythonSetup;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ContainerRegistries;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.SeedSpec;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads {@link NodeSettings} from text and collects input errors. */
final class NodeSettingsReader {
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          entry("mayfly-work-dir", "/var/lib/mayfly"),
          entry("mayfly-host", "0"),
          entry("mayfly-address", ""),
          entry("mayfly-identity", "true"),
          entry("mayfly-kill-patience", "PT10S"),
          entry("mayfly-quit-patience", "PT36S"),
          entry("mayfly-notice", AgentSettings.NOTICE.toString()),
          entry("mayfly-log-first", "PT2S"),
          entry("mayfly-log-last", "PT10S"),
          entry("mayfly-log-cap-bytes", "67108864"),
          entry("mayfly-sync-interval", NodeSettings.SyncTimes.DEFAULT.syncInterval().toString()),
          entry("mayfly-wait", NodeSettings.SyncTimes.DEFAULT.waiting().toString()),
          entry("mayfly-cut-off", NodeSettings.SyncTimes.DEFAULT.cutOff().toString()),
          entry(
              "mayfly-power-off-after", NodeSettings.SyncTimes.DEFAULT.powerOffAfter().toString()),
          entry("mayfly-image", ""),
          entry("mayfly-registries", ""),
          entry("mayfly-mounts", ""),
          entry("mayfly-seeds", ""),
          entry("mayfly-gpu-memory-bytes", "0"),
          entry("mayfly-gpu-sharing", "time-slicing"),
          entry("mayfly-instance-id", ""),
          entry("mayfly-task-user", ""),
          entry("mayfly-metadata-user", ""),
          entry("mayfly-account", ""),
          entry("mayfly-submitter", ""),
          entry("mayfly-api-url", ""),
          entry("mayfly-pubsub-url", ""),
          entry("mayfly-region", ""));

  private static final Set<String> REQUIRED =
      Set.of(
          "mayfly-cluster",
          "mayfly-worker",
          "mayfly-pool",
          "mayfly-nonce",
          "mayfly-workers-url",
          "mayfly-bucket",
          "mayfly-cpu-millis",
          "mayfly-memory-bytes",
          "mayfly-gpu-millis",
          "mayfly-tpu-chips");

  /** On a laptop, the folder with the folders that play volumes. */
  private static final String VOLUMES = "MAYFLY_VM_VOLUMES";

  /** On a laptop, the folder in which this machine mounts its buckets. */
  private static final String BUCKETS = "MAYFLY_VM_BUCKETS";

  /** Variables that begin with MAYFLY_ and are not settings of the agent. */
  private static final Set<String> FOREIGN =
      Set.of(
          "MAYFLY_BOOT_ID",
          "MAYFLY_BOOT_STEPS",
          "MAYFLY_HOME",
          "MAYFLY_INSTALLS",
          "MAYFLY_METADATA",
          "MAYFLY_PARENT",
          "MAYFLY_STORAGE_ENDPOINT",
          "MAYFLY_STORAGE_TOKEN",
          PythonSetup.UV,
          "MAYFLY_VM",
          BUCKETS,
          "MAYFLY_VM_CPUS",
          "MAYFLY_VM_MEMORY_MB",
          "MAYFLY_VM_TMP",
          VOLUMES);

  private final Optional<Path> volumes;
  private final Optional<Path> buckets;
  private final Map<String, String> values = new TreeMap<>(DEFAULTS);
  private final List<InputError> inputErrors = new ArrayList<>();

  NodeSettingsReader(Map<String, String> attributes, Map<String, String> environment) {
    if (environment.containsKey("MAYFLY_VM")) {
      // Simulated machines share one laptop, so each works in its own home.
      values.put("mayfly-work-dir", environment.getOrDefault("HOME", ".") + "/work");
    }
    attributes.forEach((key, value) -> {
      if (keys().contains(key)) {
        values.put(key, value);
      }
    });
    volumes = Optional.ofNullable(environment.get(VOLUMES)).map(Path::of);
    buckets = Optional.ofNullable(environment.get(BUCKETS)).map(Path::of);
    environment.forEach(this::variable);
  }

  static Set<String> keys() {
    var keys = new TreeSet<>(REQUIRED);
    keys.addAll(DEFAULTS.keySet());
    return keys;
  }

  NodeSettings settings() {
    for (var key : new TreeSet<>(REQUIRED)) {
      if (values.getOrDefault(key, "").isEmpty()) {
        inputErrors.add(new InputError(key, "is missing; it comes with the machine's metadata"));
      }
    }
    var nodeSettings =
        new NodeSettings(
            workerInfo(),
            Path.of(text("mayfly-work-dir")).toAbsolutePath().normalize(),
            (int) number("mayfly-host", 0, 100_000),
            Optional.of(text("mayfly-address")).filter(address -> !address.isEmpty()),
            number("mayfly-log-cap-bytes", 1 << 10, 1L << 40),
            flag("mayfly-identity"),
            times(),
            syncTimes(),
            bootRequirements(),
            Optional.of(text("mayfly-instance-id")).filter(id -> !id.isEmpty()),
            account("mayfly-account"),
            submitter(),
            new NodeSettings.Users(user("mayfly-task-user"), user("mayfly-metadata-user")));
    if (!inputErrors.isEmpty()) {
      throw new InvalidInputException(inputErrors);
    }
    return nodeSettings;
  }

  private Optional<NodeSettings.Submitter> submitter() {
    return account("mayfly-submitter")
        .map(account ->
            new NodeSettings.Submitter(
                account,
                url("mayfly-api-url"),
                url("mayfly-pubsub-url"),
                Optional.of(text("mayfly-region")).filter(region -> !region.isEmpty())));
  }

  private String url(String key) {
    var text = text(key);
    if (!text.matches("https?://[^\\s]*[^/\\s]"))
      inputErrors.add(
          new InputError(key, "is '" + text + "'; write a URL without a slash at its end"));
    return text;
  }

  private Optional<String> account(String key) {
    var text = text(key);
    if (!text.matches("([a-z0-9-]+@[a-z0-9.-]+)?")) {
      inputErrors.add(
          new InputError(key, "is '" + text + "'; write a service account such as desk@lab.iam"));
    }
    return Optional.of(text).filter(address -> !address.isEmpty());
  }

  private Optional<String> user(String key) {
    var text = text(key);
    if (!text.matches("([a-z_][a-z0-9_-]{0,31})?"))
      inputErrors.add(
          new InputError(key, "is '" + text + "'; write the name of a user of the machine"));
    return Optional.of(text).filter(name -> !name.isEmpty());
  }

  private NodeSettings.BootRequirements bootRequirements() {
    return new NodeSettings.BootRequirements(
        Optional.of(text("mayfly-image")).filter(image -> !image.isEmpty()),
        parsed("mayfly-registries", ContainerRegistries::parse, Map.of()),
        mounts(),
        parsed("mayfly-seeds", SeedSpec::parse, Map.of()),
        mps());
  }

  private boolean mps() {
    var text = text("mayfly-gpu-sharing");
    if (!text.equals("mps") && !text.equals("time-slicing"))
      inputErrors.add(
          new InputError("mayfly-gpu-sharing", "is '" + text + "'; write time-slicing or mps"));
    return text.equals("mps");
  }

  private List<Mount> mounts() {
    var ordered = parsed("mayfly-mounts", Mount::parse, List.<Mount>of());
    return ordered.stream().map(this::onLaptop).toList();
  }

  /**
   * On a laptop, a folder that outlives its machines plays a volume that has a name, and each
   * machine mounts a bucket that has one in a folder of its own, which ends with it.
   */
  private Mount onLaptop(Mount mount) {
    return mount.storage().map(name -> onLaptop(mount, name)).orElse(mount);
  }

  private Mount onLaptop(Mount mount, String name) {
    return switch (mount.kind()) {
      case NFS, FILESTORE ->
          volumes.map(v -> mount.playedBy(v.resolve(name).toString())).orElse(mount);
      case GCS -> buckets.map(b -> mount.at(b.resolve(name).toString())).orElse(mount);
      case FOLDER -> mount;
    };
  }

  private <T> T parsed(String key, Function<String, T> parse, T otherwise) {
    try {
      return parse.apply(text(key));
    } catch (IllegalArgumentException e) {
      inputErrors.add(new InputError(key, String.valueOf(e.getMessage())));
      return otherwise;
    }
  }

  private NodeSettings.Times times() {
    return new NodeSettings.Times(
        duration("mayfly-kill-patience"),
        duration("mayfly-quit-patience"),
        duration("mayfly-notice"),
        duration("mayfly-log-first"),
        duration("mayfly-log-last"));
  }

  private NodeSettings.SyncTimes syncTimes() {
    return new NodeSettings.SyncTimes(
        duration("mayfly-sync-interval"),
        duration("mayfly-wait"),
        duration("mayfly-cut-off"),
        duration("mayfly-power-off-after"));
  }

  private WorkerInfo workerInfo() {
    return new WorkerInfo(
        text("mayfly-cluster"),
        text("mayfly-worker"),
        text("mayfly-pool"),
        text("mayfly-nonce"),
        text("mayfly-workers-url"),
        text("mayfly-bucket"),
        new Resources(
            number("mayfly-cpu-millis", 1, Long.MAX_VALUE),
            number("mayfly-memory-bytes", 1, Long.MAX_VALUE),
            number("mayfly-gpu-millis", 0, Long.MAX_VALUE),
            number("mayfly-tpu-chips", 0, Long.MAX_VALUE),
            number("mayfly-gpu-memory-bytes", 0, Long.MAX_VALUE)));
  }

  private void variable(String name, String value) {
    if (!name.startsWith("MAYFLY_") || FOREIGN.contains(name)) {
      return;
    }
    var key = name.toLowerCase(Locale.ROOT).replace('_', '-');
    if (keys().contains(key)) {
      values.put(key, value);
    } else {
      inputErrors.add(
          new InputError(name, "is not a setting of the agent; known settings: " + keys()));
    }
  }

  private String text(String key) {
    return values.getOrDefault(key, "");
  }

  private boolean flag(String key) {
    var text = text(key);
    if (!text.equals("true") && !text.equals("false")) {
      inputErrors.add(new InputError(key, "is '" + text + "'; write true or false"));
    }
    return text.equals("true");
  }

  private long number(String key, long least, long most) {
    var text = text(key);
    try {
      var number = text.isEmpty() ? least : Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the range.
    }
    inputErrors.add(new InputError(key, "is '%s'; write %d to %d".formatted(text, least, most)));
    return least;
  }

  private Duration duration(String key) {
    var text = text(key);
    try {
      var duration = Duration.parse(text);
      if (duration.isPositive()) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      // Reported below, with an example.
    }
    inputErrors.add(new InputError(key, "is '" + text + "'; write a duration such as PT10S"));
    return Duration.ofSeconds(1);
  }
}
