package dev.mayfly.cli.worker;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
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
 * This machine, as one that joins a pool.
 *
 * @param id names it and the folder: what an agent left in that folder, the next one there ends
 * @param folder its agent's
 * @param has what it has of processors and memory
 */
record StaticWorkerMachine(String id, Path folder, Resources has) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Makes the folder, and gives it a name that it keeps. */
  public static StaticWorkerMachine ofFolder(Path folder) {
    try {
      Files.createDirectories(folder);
      var file = folder.resolve("machine");
      if (!Files.exists(file)) Files.writeString(file, randomHex(4));
      return new StaticWorkerMachine(
          name() + "." + Files.readString(file).strip(), folder, measured());
    } catch (IOException e) {
      throw new CommandException(
          CommandExitCode.INPUT,
          "the folder " + folder + " cannot be used (" + e + "); name one: --dir",
          e);
    }
  }

  /** The host's name, as far as it may stand in a document. */
  public static String name() throws IOException {
    var host = InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
    var plain = host.replaceFirst("[.].*", "").replaceAll("[^a-z0-9]+", "-");
    var cut = plain.substring(0, Math.min(40, plain.length())).replaceAll("^-+|-+$", "");
    return cut.matches("[a-z].*") ? cut : "m-" + cut;
  }

  /** So many random bytes in hex. */
  public static String randomHex(int bytes) {
    var random = new byte[bytes];
    RANDOM.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** An address of its own in 127.255.0.0/16, as simulated machines have theirs beside it. */
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

  /** What tasks may use: all that the pool says, as far as this machine has it. */
  public Resources offers(Resources visible) {
    return new Resources(
        Math.min(visible.cpuMillis(), has.cpuMillis()),
        Math.min(visible.memoryBytes(), has.memoryBytes()),
        visible.gpuMillis(),
        visible.tpuChips());
  }
}
