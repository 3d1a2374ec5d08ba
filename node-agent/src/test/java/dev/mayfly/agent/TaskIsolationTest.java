package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.process.FakePrograms;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.agent.task.TaskUsers;
import dev.mayfly.core.error.InvalidInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskIsolationTest {
  private static final NodeSettings.Users NAMED =
      new NodeSettings.Users(Optional.of("mayfly-task"), Optional.of("mayfly-cloud"));
  private static final TaskUsers USERS =
      new TaskUsers(
          Optional.of(new TaskUser("mayfly-task", 47001, 47000, Path.of("/home/mayfly-task"))),
          Optional.empty());

  @TempDir Path folder;

  private TaskIsolation isolation(NodeSettings.Users names, String setpriv) throws Exception {
    var programs = new FakePrograms(folder);
    if (!setpriv.isEmpty()) programs.with("setpriv", setpriv);
    return new TaskIsolation(names, folder.resolve("passwd"), programs.alone());
  }

  @Test
  void findsUsersOfTheMachine() throws Exception {
    Files.writeString(
        folder.resolve("passwd"),
        """
        root:x:0:0:root:/root:/bin/bash
        broken
        mayfly-task:x:47001:47000::/home/mayfly-task:/usr/sbin/nologin
        mayfly-cloud:x:47002:47000::/home/mayfly-cloud:/usr/sbin/nologin
        """);

    var users = isolation(NAMED, "").users();

    assertThat(users.usual()).isEqualTo(USERS.usual());
    assertThat(users.metadata()).map(TaskUser::uid).contains(47002);
  }

  @Test
  void missingUserStopsTheAgent() throws Exception {
    Files.writeString(folder.resolve("passwd"), "root:x:0:0:root:/root:/bin/bash\n");

    assertThatThrownBy(() -> isolation(NAMED, "").users())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("mayfly-task-user");
  }

  @Test
  void sharedUserIsReported() throws Exception {
    var none = new NodeSettings.Users(Optional.empty(), Optional.empty());

    assertThat(isolation(none, "").gaps(TaskUsers.NONE, Optional.of("x")))
        .hasValueSatisfying(why -> assertThat(why).contains("agent's own user"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "exit 64, no nft or iptables rule",
        "exit 1, -",
        "exit 127, cannot be tried",
        "'', cannot be tried"
      })
  void probesMetadataServerAsTaskUser(String setpriv, String why) throws Exception {
    var found = isolation(NAMED, setpriv).gaps(USERS, Optional.of("127.0.0.1:9"));

    if (why == null) assertThat(found).isEmpty();
    else assertThat(found).hasValueSatisfying(text -> assertThat(text).contains(why));
    if (!setpriv.isEmpty())
      assertThat(new FakePrograms(folder).arguments("setpriv"))
          .startsWith("--reuid=47001", "--regid=47000")
          .endsWith("127.0.0.1", "9");
  }
}
