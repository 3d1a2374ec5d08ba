package dev.mayfly.agent;

import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.agent.task.TaskUsers;
import dev.mayfly.core.error.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the users that tasks run as, and checks what that isolates tasks from. Isolation is tested
 * in practice, because firewall rules can be missing.
 */
final class TaskIsolation {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int REACHED = 64;

  /** Opens a connection without sending anything; bash exits with 1 if it is refused. */
  private static final String PROBE = "exec 3<>\"/dev/tcp/$0/$1\" && exit " + REACHED + "; exit 1";

  private final NodeSettings.Users names;
  private final Path passwd;
  private final ProgramRunner programRunner;

  /**
   * @param passwd the machine's list of users
   * @param environment of the programs that are run
   */
  TaskIsolation(NodeSettings.Users names, Path passwd, Map<String, String> environment) {
    this.names = names;
    this.passwd = passwd;
    this.programRunner = new ProgramRunner(environment);
  }

  /** The users that the settings name. Throws {@link InvalidInputException} for an unknown user. */
  TaskUsers users() throws IOException {
    return new TaskUsers(
        user("mayfly-task-user", names.tasks()), user("mayfly-metadata-user", names.metadata()));
  }

  private Optional<TaskUser> user(String key, Optional<String> name) throws IOException {
    if (name.isEmpty()) return Optional.empty();
    var found = TaskUser.find(name.get(), passwd);
    if (found.isEmpty())
      throw new InvalidInputException(
          key, "is " + name.get() + ", but this machine has no such user");
    return found;
  }

  /**
   * Missing isolation of tasks, for users to read; empty if isolation is complete.
   *
   * @param metadata the metadata server's host, with its port if it is not 80
   */
  Optional<String> gaps(TaskUsers users, Optional<String> metadata) throws InterruptedException {
    if (users.usual().isEmpty())
      return Optional.of("tasks run as the agent's own user, with all its rights");
    if (metadata.isEmpty()) return Optional.empty();
    var address = metadata.get().split(":", 2);
    var argv = new ArrayList<>(users.usual().get().switchCommand());
    argv.set(0, "setpriv");
    argv.addAll(List.of("bash", "-c", PROBE, address[0], address.length > 1 ? address[1] : "80"));
    return switch (programRunner.run(LIMIT, argv)) {
      case ProgramRunner.Result.Ended ended when ended.code() == REACHED ->
          Optional.of("tasks reach the metadata server: no nft or iptables rule blocks them");
      case ProgramRunner.Result.Ended ended when ended.code() == 1 -> Optional.empty();
      case ProgramRunner.Result.TimedOut silent -> Optional.empty();
      case ProgramRunner.Result other ->
          Optional.of("whether tasks reach the metadata server cannot be tried: " + other);
    };
  }
}
