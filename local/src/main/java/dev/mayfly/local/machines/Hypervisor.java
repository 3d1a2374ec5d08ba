package dev.mayfly.local.machines;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.Route;
import dev.mayfly.local.os.ProcessSignal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Boots machines and finds them again. Each machine has a folder {@code <vms>/<zone>/<name>} with
 * its disk {@code home}, which is deleted with the machine, and its serial console {@code
 * serial.log}, the output of its first process, which is kept.
 */
public final class Hypervisor {
  private static final Logger LOG = LoggerFactory.getLogger(Hypervisor.class);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final String INIT =
      """
      # The machine's first process. It starts the boot command again a second after it ended, as
      # systemd would; one that ends at once again and again waits longer, up to a minute. Exit code
      # 42 asks for power-off: the machine is off when this process ends.
      pause=1
      while :; do
        began=$(date +%s)
        "$@"
        code=$?
        [ "$code" -eq 42 ] && exit 0
        [ $(($(date +%s) - began)) -lt 20 ] || pause=1
        echo "The boot command ended with exit code $code; it starts again in $pause s"
        sleep "$pause"
        pause=$((pause * 2)); [ "$pause" -le 60 ] || pause=60
      done
      """;

  private final Path folder;
  private final BootCommand command;
  private final IdentityTokenSigner tokens;
  private final OwnerToken owner;
  private final InstantSource clock;
  private final List<Route> served;

  /**
   * @param folder the parent of the machines' folders
   * @param owner the cloud owner's token, from which machine tokens are derived
   * @param served beside metadata, by each machine's metadata server
   */
  public Hypervisor(
      Path folder,
      BootCommand command,
      IdentityTokenSigner tokens,
      OwnerToken owner,
      InstantSource clock,
      List<Route> served) {
    this.folder = folder;
    this.command = command;
    this.tokens = tokens;
    this.owner = owner;
    this.clock = clock;
    this.served = List.copyOf(served);
  }

  /**
   * Powers a machine on. The machine must be off.
   *
   * @param cloudUrl the URL of the simulated APIs for the machine
   * @throws IOException when a process cannot start, or no port or disk is available
   */
  public RunningVm boot(VmSpec spec, String cloudUrl) throws IOException {
    // An earlier process of this cloud may have been killed just after it booted this machine.
    killRemains(spec);
    erase(spec);
    var folder = folderOf(spec);
    Files.createDirectories(home(folder).resolve("tmp"));
    Files.writeString(folder.resolve("init.sh"), INIT);
    var metadata = MetadataServer.start(0, spec, tokens, owner, clock, served);
    try {
      var init = start(spec, cloudUrl, folder, metadata.port());
      var trace = new VmHandle(init.pid(), ProcessTable.startTicks(init.pid()), metadata.port());
      return new RunningVm(spec, trace, metadata, init.onExit().thenApply(ended -> null), folder);
    } catch (IOException e) {
      metadata.close();
      throw e;
    }
  }

  /**
   * Finds a machine that an earlier process of this cloud booted, and restarts its metadata server
   * on the same port.
   *
   * @return empty when the machine is off; its remaining processes are then killed
   * @throws IOException when the port of its metadata server is taken
   */
  public Optional<RunningVm> find(VmSpec spec, VmHandle trace) throws IOException {
    var alive =
        ProcessTable.find(trace.pid(), spec.marker())
            .filter(entry -> entry.startTicks() == trace.startTicks());
    if (alive.isEmpty()) {
      killRemains(spec);
      return Optional.empty();
    }
    var metadata = MetadataServer.start(trace.metadataPort(), spec, tokens, owner, clock, served);
    return Optional.of(new RunningVm(spec, trace, metadata, exit(spec, trace), folderOf(spec)));
  }

  /**
   * Kills all processes of a machine for which this cloud has no handle, and unmounts its buckets.
   */
  public void killRemains(VmSpec spec) {
    var first = Optional.<ProcessTable.Entry>empty();
    for (var left = ProcessTable.members(spec.marker(), first);
        !left.isEmpty();
        left = ProcessTable.members(spec.marker(), first)) {
      ProcessSignal.KILL.send(left);
    }
    BucketMounts.release(folderOf(spec));
  }

  /**
   * Watches a process that is not a child. {@link ProcessHandle#onExit} is unsuitable: it treats
   * zombies as alive, and in many containers nothing reaps dead orphans.
   */
  private static CompletableFuture<Void> exit(VmSpec spec, VmHandle trace) {
    var exit = new CompletableFuture<Void>();
    Thread.ofVirtual()
        .start(() -> {
          while (ProcessTable.find(trace.pid(), spec.marker()).isPresent()) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
          }
          exit.complete(null);
        });
    return exit;
  }

  /** Deletes the machine's disk, including its processes' home. */
  public void erase(VmSpec spec) {
    unlink(shortName(spec));
    var home = home(folderOf(spec));
    if (!Files.exists(home)) {
      return;
    }
    try (var paths = Files.walk(home)) {
      for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("Cannot delete {}, the disk of a deleted machine; delete it by hand", home, e);
    }
  }

  private static void unlink(Path link) {
    try {
      if (Files.isSymbolicLink(link)) Files.delete(link);
    } catch (IOException e) {
      LOG.warn(
          "Cannot delete {}, a link to the disk of a deleted machine; delete it by hand", link, e);
    }
  }

  /**
   * A short link to the agent's attempts, because paths of Unix sockets have at most 107 bytes and
   * the disk's path is long.
   */
  private static Path shortName(VmSpec spec) {
    return Path.of("/tmp", "mayfly-" + Long.toString(spec.id().hashCode() & 0xFFFF_FFFFL, 36));
  }

  /** The parent of folders that play volumes, which outlive machines. */
  private Path volumes() {
    return folder.resolveSibling("volumes").toAbsolutePath();
  }

  private Path folderOf(VmSpec spec) {
    return folder.resolve(spec.zone()).resolve(spec.name());
  }

  private static Path home(Path folder) {
    return folder.resolve("home");
  }

  private Process start(VmSpec spec, String cloudUrl, Path folder, int metadataPort)
      throws IOException {
    var home = home(folder);
    var serial = folder.resolve("serial.log").toFile();
    var builder =
        new ProcessBuilder(command.asInit(folder.resolve("init.sh")))
            .directory(home.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(serial));
    var path = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    builder.environment().clear();
    builder.environment().putAll(environment(spec, cloudUrl, home, metadataPort));
    // A machine's image is the laptop itself, so it has the user's programs.
    var driver = PretendedGpuPrograms.install(spec, home);
    builder.environment().put("PATH", driver.map(bin -> bin + ":" + path).orElse(path));
    return builder.start();
  }

  private Map<String, String> environment(
      VmSpec spec, String cloudUrl, Path home, int metadataPort) {
    return Map.ofEntries(
        Map.entry("HOME", home.toString()),
        Map.entry("TMPDIR", home.resolve("tmp").toString()),
        Map.entry("LANG", "C.UTF-8"),
        Map.entry("GOOGLE_CLOUD_PROJECT", spec.project()),
        Map.entry("GCE_METADATA_HOST", "127.0.0.1:" + metadataPort),
        Map.entry("MAYFLY_STORAGE_ENDPOINT", cloudUrl),
        Map.entry("MAYFLY_STORAGE_TOKEN", owner.machineToken(spec.id())),
        Map.entry("MAYFLY_VM", spec.id()),
        Map.entry("MAYFLY_BOOT_ID", UUID.randomUUID().toString()),
        Map.entry("MAYFLY_VM_BUCKETS", BucketMounts.of(folderOf(spec)).toString()),
        Map.entry("MAYFLY_VM_CPUS", Integer.toString(spec.cpus())),
        Map.entry("MAYFLY_VM_MEMORY_MB", Long.toString(spec.memoryMb())),
        Map.entry("MAYFLY_VM_TMP", shortName(spec).toString()),
        Map.entry("MAYFLY_VM_VOLUMES", volumes().toString()));
  }
}
