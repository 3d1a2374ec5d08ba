package dev.mayfly.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OomScoreTest {
  @Test
  void negativeScoreIsProtection(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("oom_score_adj"), "-900\n");

    assertThat(OomScore.spared(file)).isTrue();
    assertThat(OomScore.spared(Files.writeString(file, "0\n"))).isFalse();
    assertThat(OomScore.spared(folder.resolve("none"))).isFalse();
  }
}
