package dev.mayfly.functions.start;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Continues in the archive's own Java runtime, with its trained cache, instead of in the
 * platform's.
 *
 * <p>The platform starts a function with a fixed command, on a runtime that it updates at any time;
 * but a cache of loaded classes is valid for one build of one runtime only. So the archive contains
 * both, and this agent, named in {@code JAVA_TOOL_OPTIONS}, starts them before the platform's
 * framework is loaded. If they are missing or cannot be started, it returns, and the function
 * starts normally, only slower.
 */
public final class BundledRuntime {
  private static final String PROGRAM = "runtime/bin/java";
  private static final String UP = "../../..";
  private static final String OPTIONS = "options";

  /** The platform kills the process ten seconds after SIGTERM. */
  private static final long MAX_END_SECONDS = 9;

  private BundledRuntime() {}

  /** Returns only if the bundled runtime cannot take over. */
  public static void premain(String arguments) throws URISyntaxException {
    var own = BundledRuntime.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    var started = start(Path.of(own).resolveSibling(PROGRAM));
    if (started.isEmpty()) return;
    var child = started.get();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(child)));
    Runtime.getRuntime().halt(await(child));
  }

  private static Optional<Process> start(Path program) {
    if (!Files.exists(program)) return Optional.empty();
    // An unpacker may have dropped the permission.
    if (!Files.isExecutable(program) && !program.toFile().setExecutable(true)) {
      log(program + " may not be executed");
      return Optional.empty();
    }
    var home = program.resolve(UP).normalize();
    var builder = new ProcessBuilder(program.toString(), "@" + OPTIONS).directory(home.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    try {
      return Optional.of(builder.inheritIO().start());
    } catch (IOException e) {
      log(e.toString());
      return Optional.empty();
    }
  }

  private static void log(String why) {
    System.getLogger(BundledRuntime.class.getName()).log(Level.WARNING, "slow start: {0}", why);
  }

  private static int await(Process child) {
    while (true) {
      try {
        return child.waitFor();
      } catch (InterruptedException e) {
        child.destroy();
      }
    }
  }

  private static void end(Process child) {
    child.destroy();
    try {
      if (!child.waitFor(MAX_END_SECONDS, TimeUnit.SECONDS)) child.destroyForcibly();
    } catch (InterruptedException e) {
      child.destroyForcibly();
    }
  }
}
