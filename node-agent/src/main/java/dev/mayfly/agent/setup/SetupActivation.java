package dev.mayfly.agent.setup;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a task's process is given to use a finished setup, like the tools' {@code activate}. */
public final class SetupActivation {
  /** The name of the variable with the setup's folder. */
  public static final String FOLDER = "MAYFLY_SETUP";

  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  /** An image's PATH is known inside its container only. */
  private static final String INSIDE =
      "PATH=\"$" + FOLDER + "/bin:$PATH\"; export PATH; exec \"$@\"";

  private SetupActivation() {}

  /** The variables, without PATH. */
  public static Map<String, String> variables(Path setup) {
    var variables = new TreeMap<String, String>();
    variables.put(FOLDER, setup.toString());
    if (Files.exists(setup.resolve("pyvenv.cfg"), LinkOption.NOFOLLOW_LINKS))
      variables.put("VIRTUAL_ENV", setup.toString());
    if (Files.isDirectory(setup.resolve("conda-meta"), LinkOption.NOFOLLOW_LINKS))
      variables.put("CONDA_PREFIX", setup.toString());
    return variables;
  }

  /** Puts the setup's programs before the others of {@code environment}. */
  public static void addPath(Path setup, Map<String, String> environment) {
    environment.merge(
        "PATH", setup + "/bin:" + DEFAULT_PATH, (before, alone) -> setup + "/bin:" + before);
  }

  /** The command of a container that does the same. */
  public static List<String> inContainer(List<String> argv) {
    var wrapped = new ArrayList<>(List.of("/bin/sh", "-c", INSIDE, "mayfly"));
    wrapped.addAll(argv);
    return wrapped;
  }
}
