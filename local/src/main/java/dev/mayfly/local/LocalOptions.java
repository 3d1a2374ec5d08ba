package dev.mayfly.local;

import dev.mayfly.local.os.HomeFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of {@code mayfly local}.
 *
 * @param home {@code MAYFLY_HOME}: the folder of all data
 * @param port port of the simulated cloud; the control plane uses the next port
 * @param tick seconds between ticks
 * @param restart whether processes that die are restarted
 * @param only the only process to start, if the other already runs
 * @param agentClassPath the class path of the node agent on machines
 * @param noticeMillis milliseconds from a preemption notice to the power cut
 * @param emulators what starts the control plane on Google's emulators, with one process per
 *     function; empty for the laptop's own control plane
 */
record LocalOptions(
    Path home,
    int port,
    int tick,
    boolean restart,
    Optional<Part> only,
    String agentClassPath,
    int noticeMillis,
    Optional<EmulatorsModule> emulators) {
  static final int PORT = 8420;

  /** The two processes. */
  enum Part {
    CLOUD,
    CONTROL
  }

  static final String USAGE =
      "usage: mayfly local [--port N] [--tick SECONDS] [--notice SECONDS] [--no-restart]"
          + " [--emulators] [--only cloud|control]";

  /** Throws {@link IllegalArgumentException} with the error and the usage. */
  static LocalOptions of(String[] arguments, Map<String, String> env) {
    var port = PORT;
    var tick = 60;
    var notice = 30_000;
    var restart = true;
    var emulators = Optional.<EmulatorsModule>empty();
    var only = Optional.<Part>empty();
    for (var i = 0; i < arguments.length; i++)
      switch (arguments[i]) {
        case "--no-restart" -> restart = false;
        case "--emulators" -> emulators = Optional.of(EmulatorsModule.of(env));
        case "--port" -> port = number(arguments, ++i, 1_024, 65_534);
        case "--tick" -> tick = number(arguments, ++i, 1, 3_600);
        case "--notice" -> notice = 1_000 * number(arguments, ++i, 0, 120);
        case "--only" -> only = Optional.of(part(arguments, ++i));
        default ->
            throw new IllegalArgumentException("'" + arguments[i] + "' is not an option; " + USAGE);
      }
    return new LocalOptions(
        HomeFolder.of(env), port, tick, restart, only, agentClassPath(env), notice, emulators);
  }

  private static int number(String[] arguments, int i, int least, int most) {
    var name = arguments[i - 1];
    var text = i < arguments.length ? arguments[i] : "";
    if (text.matches("[0-9]{1,6}")
        && Integer.parseInt(text) >= least
        && Integer.parseInt(text) <= most) return Integer.parseInt(text);
    throw new IllegalArgumentException(
        "%s is '%s'; it must be a whole number from %d to %d".formatted(name, text, least, most));
  }

  private static Part part(String[] arguments, int i) {
    return switch (i < arguments.length ? arguments[i] : "") {
      case "cloud" -> Part.CLOUD;
      case "control" -> Part.CONTROL;
      default -> throw new IllegalArgumentException("--only must be cloud or control; " + USAGE);
    };
  }

  /** The agent's jars: from the project folder, or this process's own class path in tests. */
  private static String agentClassPath(Map<String, String> env) {
    var project = env.get("MAYFLY_PROJECT_DIR");
    if (project == null) return System.getProperty("java.class.path");
    var target = Path.of(project, "node-agent", "target");
    var jar = target.resolve("mayfly-node-agent.jar");
    if (!Files.exists(jar))
      throw new IllegalArgumentException(
          jar + " is missing; run ./build first, or start with ./mayfly");
    return String.join(":", List.of(jar.toString(), target.resolve("lib") + "/*"));
  }
}
