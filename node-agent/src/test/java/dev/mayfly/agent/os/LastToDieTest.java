package dev.mayfly.agent.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastToDieTest {
  @Test
  void aTaskDoesNotInheritThatTheAgentIsSpared(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("oom_score_adj"), "-900\n");
    assertThat(LastToDie.spared(file)).isTrue();

    LastToDie.ordinary(file);

    assertThat(file).content().isEqualTo("0");
    assertThat(LastToDie.spared(file)).isFalse();
    assertThat(LastToDie.spared(folder.resolve("none"))).isFalse();
  }
}
