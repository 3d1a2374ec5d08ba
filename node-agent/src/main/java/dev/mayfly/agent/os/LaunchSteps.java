package dev.mayfly.agent.os;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  private static final String SCRIPT =
      """
      if [ -n "$1" ]; then echo $$ >"$1" || { echo "%sit could not enter $1"; exit %d; }; fi
      if [ -n "$2" ]; then echo 0 >"$2"; fi
      shift 2; exec "$@"
      """
          .formatted(SAID, REFUSED);

  /** The words to put before the command's own; none where there is nothing to do. */
  List<String> words() {
    var words = new ArrayList<String>();
    if (group.isPresent() || ordinary) {
      words.addAll(List.of("/bin/sh", "-c", SCRIPT, "mayfly"));
      words.add(group.map(Path::toString).orElse(""));
      words.add(ordinary ? "/proc/self/oom_score_adj" : "");
    }
    user.ifPresent(u -> words.addAll(u.words()));
    return words;
  }
}
