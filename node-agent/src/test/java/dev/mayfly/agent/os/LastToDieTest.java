package dev.mayfly.agent.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastToDieTest {
  @Test
  void aLoweredScoreIsProtection(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("oom_score_adj"), "-900\n");

    assertThat(LastToDie.spared(file)).isTrue();
    assertThat(LastToDie.spared(Files.writeString(file, "0\n"))).isFalse();
    assertThat(LastToDie.spared(folder.resolve("none"))).isFalse();
  }
}
