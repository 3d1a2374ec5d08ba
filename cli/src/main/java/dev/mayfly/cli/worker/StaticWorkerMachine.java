package dev.mayfly.cli.worker;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.model.Resources;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/**
 * This machine as a static worker.
 *
 * @param id identifies the machine and the folder: an agent ends what its predecessor left in the
 *     same folder
 * @param folder the agent's folder
 * @param has the machine's processors and memory
 */
record StaticWorkerMachine(String id, Path folder, Resources has) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Creates the folder and gives it a permanent id. */
  public static StaticWorkerMachine ofFolder(Path folder) {
    try {
      Files.createDirectories(folder);
      var file = folder.resolve("machine");
      if (!Files.exists(file)) Files.writeString(file, randomHex(4));
      return new StaticWorkerMachine(
          name() + "." + Files.readString(file).strip(), folder, measured());
    } catch (IOException e) {
      throw CommandException.input(
          "the folder " + folder + " cannot be used (" + e + "); choose another --dir", e);
    }
  }

  /** The host's name, limited to the characters of a worker name. */
  public static String name() throws IOException {
    var host = InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
    var plain = host.replaceFirst("[.].*", "").replaceAll("[^a-z0-9]+", "-");
    var cut = plain.substring(0, Math.min(40, plain.length())).replaceAll("^-+|-+$", "");
    return cut.matches("[a-z].*") ? cut : "m-" + cut;
  }

  /** Random bytes in hex. */
  public static String randomHex(int bytes) {
    var random = new byte[bytes];
    RANDOM.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** A separate address in 127.255.0.0/16, next to those of simulated machines. */
  public String loopback() {
    var hash = Math.floorMod(id.hashCode(), 250 * 250);
    return "127.255.%d.%d".formatted(hash / 250, 1 + hash % 250);
  }

  private static Resources measured() {
    var cpus = Runtime.getRuntime().availableProcessors();
    var system = ManagementFactory.getOperatingSystemMXBean();
    var bytes =
        system instanceof com.sun.management.OperatingSystemMXBean known
            ? known.getTotalMemorySize()
            : Long.MAX_VALUE;
    return Resources.cpu(cpus, bytes);
  }

  /** The resources for tasks: those of the pool, limited to this machine's. */
  public Resources offers(Resources visible) {
    return new Resources(
        Math.min(visible.cpuMillis(), has.cpuMillis()),
        Math.min(visible.memoryBytes(), has.memoryBytes()),
        visible.gpuMillis(),
        visible.tpuChips(),
        visible.gpuMemoryBytes());
  }
}
