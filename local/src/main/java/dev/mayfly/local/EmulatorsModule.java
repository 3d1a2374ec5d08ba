package dev.mayfly.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The module that runs the control plane on Google's emulators. It proves Mayfly and is no part of
 * it: a checkout has it, an installed Mayfly does not, and so it is started by its name alone.
 *
 * @param classPath its jar, then this process's own class path, then its libraries
 */
record EmulatorsModule(String classPath) {
  /** The main class. */
  static final String MAIN = "dev.mayfly.emulators.EmulatorsMain";

  private static final String FOLDER = "testing/emulators/target";

  /** Throws {@link IllegalArgumentException} with the remedy where the module is missing. */
  static EmulatorsModule of(Map<String, String> env) {
    var project = env.getOrDefault("MAYFLY_PROJECT_DIR", "");
    if (project.isEmpty())
      throw new IllegalArgumentException(
          "--emulators needs MAYFLY_PROJECT_DIR, the folder of a checkout of Mayfly; start with the"
              + " checkout's ./mayfly, which sets it");
    var target = Path.of(project, FOLDER);
    var jar = target.resolve("mayfly-emulators.jar");
    if (!Files.exists(jar))
      throw new IllegalArgumentException(
          jar
              + " is missing: only a checkout of Mayfly can run on Google's emulators, an installed"
              + " Mayfly cannot; start with the checkout's ./mayfly, which builds it, or leave out"
              + " --emulators");
    var own = System.getProperty("java.class.path");
    return new EmulatorsModule(jar + ":" + own + ":" + target.resolve("lib") + "/*");
  }
}
