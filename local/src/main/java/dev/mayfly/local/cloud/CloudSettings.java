package dev.mayfly.local.cloud;

import dev.mayfly.local.machines.BootCommand;
import dev.mayfly.local.os.HomeFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of the simulated cloud, from environment variables.
 *
 * @param home {@code MAYFLY_HOME}: the folder of all local data; default {@code ~/.mayfly}
 * @param port {@code MAYFLY_CLOUD_PORT}: the port; default 0: the port of the last start, or at
 *     first any free port
 * @param project {@code MAYFLY_CLOUD_PROJECT}: the only project
 * @param bootDelay {@code MAYFLY_CLOUD_BOOT_DELAY_MS}: the time from insert to boot, until a fault
 *     control changes it
 * @param notice {@code MAYFLY_CLOUD_NOTICE_MS}: the default time from notice to power cut
 * @param agentClassPath {@code MAYFLY_CLOUD_AGENT_CLASSPATH}: the class path of the node agent on
 *     machines; default: this process's class path
 * @param agentJvm {@code MAYFLY_CLOUD_AGENT_JVM}: the agent's JVM flags, separated by spaces
 * @param controlPlane {@code MAYFLY_CLOUD_CONTROL_PLANE}: the URL to which messages are pushed,
 *     {@code URL/functions/TOPIC}
 * @param machine {@code MAYFLY_CLOUD_MACHINE}: a program that runs as each machine instead of the
 *     node agent, for example to boot a real virtual machine; restarted when it ends, unless with
 *     exit code 42 for power-off
 */
public record CloudSettings(
    Path home,
    int port,
    String project,
    Duration bootDelay,
    Duration notice,
    String agentClassPath,
    List<String> agentJvm,
    String controlPlane,
    Optional<Path> machine,
    List<String> outputPrefixes) {
  private static final Set<String> KEYS =
      Set.of(
          "MAYFLY_CLOUD_PORT",
          "MAYFLY_CLOUD_PROJECT",
          "MAYFLY_CLOUD_BOOT_DELAY_MS",
          "MAYFLY_CLOUD_NOTICE_MS",
          "MAYFLY_CLOUD_AGENT_CLASSPATH",
          "MAYFLY_CLOUD_AGENT_JVM",
          "MAYFLY_CLOUD_CONTROL_PLANE",
          "MAYFLY_CLOUD_MACHINE",
          "MAYFLY_CLOUD_OUTPUT_PREFIXES");

  /** As Terraform's default, and the names that this project's pages use; a test compares them. */
  private static final String OUTPUTS = "mayfly/,results/,out/,outputs/,checkpoints/";

  /** Small enough for ten agents on a laptop. */
  private static final String SMALL_JVM =
      "-Xmx96m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto"
          + " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";

  public CloudSettings {
    agentJvm = List.copyOf(agentJvm);
    outputPrefixes = List.copyOf(outputPrefixes);
  }

  /** The folder of this cloud's state. */
  public Path folder() {
    return home.resolve("cloud");
  }

  /**
   * @throws IllegalArgumentException with all errors
   */
  public static CloudSettings from(Map<String, String> environment) {
    var problems = new ArrayList<String>();
    environment.keySet().stream()
        .filter(key -> key.startsWith("MAYFLY_CLOUD_") && !KEYS.contains(key))
        .forEach(key -> problems.add(key + " is not a setting; known settings: " + KEYS));
    var settings =
        new CloudSettings(
            HomeFolder.of(environment),
            number(environment, "MAYFLY_CLOUD_PORT", 0, 65_535, problems),
            environment.getOrDefault("MAYFLY_CLOUD_PROJECT", "mayfly-local"),
            millis(environment, "MAYFLY_CLOUD_BOOT_DELAY_MS", 300, problems),
            millis(environment, "MAYFLY_CLOUD_NOTICE_MS", 30_000, problems),
            environment.getOrDefault(
                "MAYFLY_CLOUD_AGENT_CLASSPATH", System.getProperty("java.class.path")),
            List.of(environment.getOrDefault("MAYFLY_CLOUD_AGENT_JVM", SMALL_JVM).split(" +")),
            environment.getOrDefault("MAYFLY_CLOUD_CONTROL_PLANE", "http://127.0.0.1:8421"),
            machine(environment, problems),
            outputPrefixes(environment, problems));
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", problems));
    }
    return settings;
  }

  private static Optional<Path> machine(Map<String, String> environment, List<String> problems) {
    var text = environment.getOrDefault("MAYFLY_CLOUD_MACHINE", "");
    if (text.isEmpty()) return Optional.empty();
    var program = Path.of(text);
    if (!program.isAbsolute() || !Files.isExecutable(program))
      problems.add(
          "MAYFLY_CLOUD_MACHINE is '"
              + text
              + "'; it must be the absolute path of an executable program");
    return Optional.of(program);
  }

  private static List<String> outputPrefixes(
      Map<String, String> environment, List<String> problems) {
    var prefixes =
        List.of(environment.getOrDefault("MAYFLY_CLOUD_OUTPUT_PREFIXES", OUTPUTS).split(","));
    for (var prefix : prefixes)
      if (!prefix.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*/") || prefix.startsWith("mayfly/."))
        problems.add(
            "MAYFLY_CLOUD_OUTPUT_PREFIXES has '"
                + prefix
                + "'; write folders with a / at the end, separated by commas: mayfly/,results/");
    return prefixes;
  }

  /** The command that each machine runs. */
  BootCommand bootCommand() {
    return machine
        .map(program -> new BootCommand(List.of(program.toString())))
        .orElseGet(() -> BootCommand.agent(agentClassPath, agentJvm));
  }

  private static Duration millis(
      Map<String, String> environment, String key, int standard, List<String> problems) {
    return Duration.ofMillis(number(environment, key, standard, 3_600_000, problems));
  }

  private static int number(
      Map<String, String> environment, String key, int standard, int most, List<String> problems) {
    var text = environment.getOrDefault(key, Integer.toString(standard));
    if (text.matches("[0-9]{1,8}") && Integer.parseInt(text) <= most) {
      return Integer.parseInt(text);
    }
    problems.add(key + " is '" + text + "'; it must be a whole number from 0 to " + most);
    return standard;
  }
}
