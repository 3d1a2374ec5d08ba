package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.DeploymentEndpoints;
import dev.mayfly.cli.client.HttpTransport;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.error.MayflyException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the requirements of the laptop cloud, with a remedy for each problem. */
record LaptopChecks(Map<String, String> env, Path home, HttpTransport http) {
  private static final int JAVA = 25;
  private static final List<Integer> PORTS = List.of(8420, 8421);
  private static final long MIN_FREE_BYTES = 2_000_000_000;
  private static final long MIN_MEMORY_KB = 1_500_000;

  /** The finding's severity. */
  public enum Verdict {
    OK,
    /** Harmless for most uses. */
    NOTE,
    WRONG
  }

  /** The result of one check. */
  public record Finding(String about, Verdict verdict, String text) {}

  public List<Finding> findings() {
    var findings = new ArrayList<Finding>();
    findings.add(java());
    findings.add(build());
    findings.add(folder());
    findings.add(disk());
    findings.add(memory());
    var cloud = cloud();
    findings.add(cloud);
    if (cloud.verdict() != Verdict.OK) PORTS.forEach(port -> findings.add(port(port)));
    findings.add(program("gcloud", "needed only to publish without mayfly, and for Google Cloud"));
    findings.add(program("git", "code is packed regardless of .gitignore"));
    return findings;
  }

  private static Finding ok(String about, String text) {
    return new Finding(about, Verdict.OK, text);
  }

  private static Finding java() {
    var version = Runtime.version();
    if (version.feature() == JAVA)
      return ok("java", version + " at " + System.getProperty("java.home"));
    return new Finding(
        "java",
        Verdict.WRONG,
        version + ", but Mayfly needs " + JAVA + "; start it with ./mayfly, which finds one");
  }

  private Finding build() {
    var told = env.getOrDefault("MAYFLY_PROJECT_DIR", "");
    if (told.isEmpty())
      return new Finding(
          "build",
          Verdict.NOTE,
          "MAYFLY_PROJECT_DIR is not set; mayfly local needs the launcher ./mayfly");
    for (var module : List.of("local", "node-agent")) {
      var jar = Path.of(told, module, "target", "mayfly-" + module + ".jar");
      if (!Files.exists(jar))
        return new Finding("build", Verdict.WRONG, jar + " is missing; run ./build");
    }
    return ok("build", told);
  }

  private Finding folder() {
    try {
      Files.createDirectories(home);
      Files.delete(Files.createTempFile(home, "doctor", ""));
      return ok("home", home + " is writable");
    } catch (IOException e) {
      return new Finding(
          "home",
          Verdict.WRONG,
          home + " is not writable (" + e + "); set MAYFLY_HOME to another folder");
    }
  }

  private Finding disk() {
    try {
      var free = Files.getFileStore(Files.exists(home) ? home : Path.of("/")).getUsableSpace();
      if (free >= MIN_FREE_BYTES) return ok("disk", HumanFormat.bytes(free) + " free");
      return new Finding(
          "disk",
          Verdict.WRONG,
          HumanFormat.bytes(free) + " free at " + home + "; free up 2,000 MB");
    } catch (IOException e) {
      return new Finding("disk", Verdict.NOTE, "the free space is unknown: " + e);
    }
  }

  private static Finding memory() {
    try {
      for (var line : Files.readAllLines(Path.of("/proc/meminfo")))
        if (line.startsWith("MemAvailable:"))
          return memory(Long.parseLong(line.replaceAll("\\D", "")));
    } catch (IOException e) {
      return new Finding("memory", Verdict.NOTE, "available memory is known on Linux only");
    }
    return new Finding("memory", Verdict.NOTE, "this system does not report available memory");
  }

  private static Finding memory(long kb) {
    if (kb >= MIN_MEMORY_KB) return ok("memory", HumanFormat.bytes(kb * 1024) + " available");
    return new Finding(
        "memory",
        Verdict.NOTE,
        HumanFormat.bytes(kb * 1024)
            + " available; the laptop cloud and five workers use 1,500 MB");
  }

  private Finding cloud() {
    try {
      var deploymentEndpoints = DeploymentEndpoints.find(home);
      if (deploymentEndpoints.isEmpty())
        return new Finding(
            "laptop cloud", Verdict.NOTE, "not running; " + DeploymentEndpoints.REMEDY);
      var api = DeploymentEndpoints.of(home).api();
      var clusters = new ApiClient(http, api).clusters().size();
      return ok("laptop cloud", api + ", " + HumanFormat.count(clusters, "cluster"));
    } catch (MayflyException e) {
      var text = String.valueOf(e.getMessage());
      var answers = text.startsWith(ApiClient.REPORTS);
      return new Finding("laptop cloud", answers ? Verdict.WRONG : Verdict.NOTE, text);
    }
  }

  private static Finding port(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return ok("port " + port, "free");
    } catch (IOException taken) {
      return new Finding(
          "port " + port, Verdict.WRONG, "in use by another program; use mayfly local --port N");
    }
  }

  private Finding program(String name, String without) {
    var found =
        Optional.ofNullable(env.get("PATH")).stream()
            .flatMap(path -> List.of(path.split(":")).stream())
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    return found
        .map(path -> ok(name, path.toString()))
        .orElseGet(() -> new Finding(name, Verdict.NOTE, "not found: " + without));
  }
}
