package dev.mayfly.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A user of this machine that tasks run as, instead of the agent's.
 *
 * @param home a folder that outlives tasks
 */
public record TaskUser(String name, int uid, int gid, Path home) {
  private static final String SETPRIV = "/usr/bin/setpriv";

  /**
   * Finds a user by name; empty if there is none.
   *
   * @param passwd the machine's list of users
   */
  public static Optional<TaskUser> find(String name, Path passwd) throws IOException {
    for (var line : Files.readAllLines(passwd)) {
      var fields = line.split(":", -1);
      if (fields.length == 7 && fields[0].equals(name))
        return Optional.of(
            new TaskUser(
                name,
                Integer.parseInt(fields[2]),
                Integer.parseInt(fields[3]),
                Path.of(fields[5])));
    }
    return Optional.empty();
  }

  /** The command prefix that switches a process of the agent to this user for good. */
  public List<String> switchCommand() {
    return List.of(
        SETPRIV, "--reuid=" + uid, "--regid=" + gid, "--init-groups", "--no-new-privs", "--");
  }

  /** The variables that a login sets. */
  public Map<String, String> environment() {
    return Map.of("HOME", home.toString(), "USER", name, "LOGNAME", name);
  }

  /** Makes this user the owner of a file or folder; of a link, the link itself. */
  public void chown(Path file) throws IOException {
    Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
  }
}
