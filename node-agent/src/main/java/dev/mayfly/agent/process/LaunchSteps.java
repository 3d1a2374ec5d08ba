package dev.mayfly.agent.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Steps that a new process runs before it executes the user's command. It runs them itself, because
 * if they were applied from outside, its earlier children would miss them.
 *
 * @param group the {@code cgroup.procs} file that it writes its process id to
 * @param ordinary whether it drops the agent's protection from the OOM killer
 * @param user the user that it switches to, last; empty to remain the agent's
 * @param pipes what it opens as further descriptors, first
 */
public record LaunchSteps(
    Optional<Path> group, boolean ordinary, Optional<TaskUser> user, Optional<Pipes> pipes) {
  public static final LaunchSteps NONE = new LaunchSteps(Optional.empty(), false, Optional.empty());

  /** Without further descriptors. */
  public LaunchSteps(Optional<Path> group, boolean ordinary, Optional<TaskUser> user) {
    this(group, ordinary, user, Optional.empty());
  }

  /**
   * Two pipes that another process has open.
   *
   * @param in read as descriptor 3
   * @param out written to as descriptor 4
   */
  public record Pipes(Path in, Path out) {}

  /** The exit code of a failed step, printed with a line that begins with {@link #SAID}. */
  public static final int REFUSED = 125;

  /** The start of that line. */
  public static final String SAID = "mayfly: not started: ";

  private static final String SHELL = "/bin/sh";
  private static final String HIDDEN = "_MAYFLY_";
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final String SCRIPT =
      """
      if [ -n "$1" ]; then echo $$ >"$1" || { echo "%sit could not enter $1"; exit %d; }; fi
      if [ -n "$2" ]; then echo 0 >"$2"; fi
      shift 2; exec "$@"
      """
          .formatted(SAID, REFUSED);

  private static final String OPEN = "exec 3<\"$1\" 4>\"$2\"; shift 2; exec \"$@\"";

  boolean isEmpty() {
    return group.isEmpty() && !ordinary && user.isEmpty() && pipes.isEmpty();
  }

  /**
   * The words before the command's own; empty if there are no steps.
   *
   * @param names of the variables that the command sees
   */
  List<String> argvPrefix(Set<String> names) {
    var words = new ArrayList<String>();
    pipes.ifPresent(p ->
        words.addAll(
            List.of(SHELL, "-c", OPEN, "mayfly", String.valueOf(p.in), String.valueOf(p.out))));
    if (group.isPresent() || ordinary) {
      words.addAll(List.of(SHELL, "-c", SCRIPT, "mayfly"));
      words.add(group.map(Path::toString).orElse(""));
      words.add(ordinary ? "/proc/self/oom_score_adj" : "");
    }
    user.ifPresent(u -> {
      words.addAll(u.switchCommand());
      words.addAll(List.of(SHELL, "-c", restoreScript(names), "mayfly"));
    });
    return words;
  }

  /**
   * Renames the job's variables while the process has the agent's rights, because some, such as
   * LD_PRELOAD, make any program run code of the job. Mayfly's own variables keep their names.
   */
  Map<String, String> initialEnvironment(Map<String, String> environment) {
    if (user.isEmpty()) return environment;
    var hidden = new HashMap<String, String>();
    environment.forEach((name, value) -> hidden.put(isOurs(name) ? name : HIDDEN + name, value));
    return hidden;
  }

  /** Restores the variables' names. Values never become arguments. */
  private static String restoreScript(Set<String> names) {
    var text = new StringBuilder();
    for (var name : new TreeSet<>(names)) {
      if (isOurs(name) || !IDENTIFIER.matcher(name).matches()) continue;
      text.append("%1$s=$%2$s%1$s; export %1$s; unset %2$s%1$s; ".formatted(name, HIDDEN));
    }
    return text + "exec \"$@\"";
  }

  private static boolean isOurs(String name) {
    return name.startsWith("MAYFLY_");
  }
}
