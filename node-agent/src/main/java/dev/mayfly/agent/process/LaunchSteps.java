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
 * What a new process does before it becomes the user's command. It does so itself: done to it from
 * outside, whatever it had started by then would stay as it was.
 *
 * @param group the file of its control group that it writes its number to
 * @param ordinary whether it takes back the agent's protection from the out-of-memory killer
 * @param user whom it becomes, last; without one it stays the agent's
 */
public record LaunchSteps(Optional<Path> group, boolean ordinary, Optional<TaskUser> user) {
  public static final LaunchSteps NONE = new LaunchSteps(Optional.empty(), false, Optional.empty());

  /** The exit code of a process that could not do its steps, with a line of {@link #SAID}. */
  public static final int REFUSED = 125;

  /** How that line begins. */
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

  boolean isEmpty() {
    return group.isEmpty() && !ordinary && user.isEmpty();
  }

  /**
   * The words to put before the command's own; none where there is nothing to do.
   *
   * @param names of the variables that the command is to see
   */
  List<String> argvPrefix(Set<String> names) {
    var words = new ArrayList<String>();
    if (group.isPresent() || ordinary) {
      words.addAll(List.of(SHELL, "-c", SCRIPT, "mayfly"));
      words.add(group.map(Path::toString).orElse(""));
      words.add(ordinary ? "/proc/self/oom_score_adj" : "");
    }
    user.ifPresent(u -> {
      words.addAll(u.switchCommand());
      words.addAll(List.of(SHELL, "-c", restored(names), "mayfly"));
    });
    return words;
  }

  /**
   * While the process still has the agent's rights, no variable of a job has its name: some make
   * any program run code of the writer's, such as LD_PRELOAD. Only ours are there.
   */
  Map<String, String> initialEnvironment(Map<String, String> environment) {
    if (user.isEmpty()) return environment;
    var hidden = new HashMap<String, String>();
    environment.forEach((name, value) -> hidden.put(isOurs(name) ? name : HIDDEN + name, value));
    return hidden;
  }

  /** Gives each variable its name back; values are in no argument. */
  private static String restored(Set<String> names) {
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
