package dev.mayfly.agent;

import dev.mayfly.agent.os.WholeKill;
import dev.mayfly.agent.os.WorkDir;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.SyncReport.BootStep;
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

/** The steps from the start of this process to its first word, each with the time it took. */
final class Birth {
  /** The machine's internal address, on Compute Engine and on the hosts of TPUs. */
  static final String ADDRESS = "instance/network-interfaces/0/ip";

  private final Map<String, String> environment;
  private final List<BootStep> steps = new ArrayList<>();

  Birth(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * What the startup script did before this process, a line a step: name, milliseconds and error,
   * with tabs between. A line of another shape is left out.
   */
  void earlier() {
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

  List<BootStep> steps() {
    return List.copyOf(steps);
  }

  /** Reads what the machine was told. Throws {@link Unavailable} or Invalid. */
  Settings settings(Optional<Metadata> metadata) {
    long begin = System.nanoTime();
    var attributes = new HashMap<String, String>();
    metadata.ifPresent(server -> {
      server.find(ADDRESS).ifPresent(ip -> attributes.put("mayfly-address", ip.strip()));
      Seat.of(server::attribute)
          .ifPresent(seat -> {
            attributes.put("mayfly-host", Integer.toString(seat.rank()));
            attributes.put("mayfly-address", seat.address());
          });
      Settings.keys()
          .forEach(key -> server.attribute(key).ifPresent(value -> attributes.put(key, value)));
    });
    var settings = Settings.from(attributes, environment);
    took("metadata", begin, Optional.empty());
    return settings;
  }

  /** Takes the work directory; what an earlier incarnation left there is killed and deleted. */
  WorkDir workDir(Settings settings) throws IOException {
    long begin = System.nanoTime();
    var link = Optional.ofNullable(environment.get("MAYFLY_VM_TMP"));
    var workDir = WorkDir.open(settings.workDir(), link.map(Path::of));
    var left = WholeKill.earlier(workDir.root(), settings.times().killPatience());
    if (!left.confirmed()) {
      throw new IOException(
          "processes of an earlier agent cannot be killed: "
              + left.left()
              + "; the machine has to be started again");
    }
    workDir.clean();
    took("left processes", begin, Optional.empty());
    return workDir;
  }

  /** Which process on which boot of which machine this is. */
  Incarnation incarnation(Settings settings, Optional<Metadata> metadata, Instant start)
      throws IOException {
    var instance =
        metadata
            .flatMap(server -> server.find("instance/id"))
            .or(settings::instanceId)
            .orElse(InetAddress.getLocalHost().getHostName());
    var boot = environment.get("MAYFLY_BOOT_ID");
    if (boot == null) {
      var file = Path.of("/proc/sys/kernel/random/boot_id");
      boot = Files.exists(file) ? Files.readString(file).strip() : "unknown";
    }
    return new Incarnation(instance, boot, start);
  }

  private void took(String name, long begin, Optional<String> error) {
    steps.add(new BootStep(name, Duration.ofNanos(System.nanoTime() - begin), error));
  }
}
