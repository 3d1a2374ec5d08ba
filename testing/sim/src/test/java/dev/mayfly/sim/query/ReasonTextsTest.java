package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * What users read about jobs that wait, scene by scene, in one file. After a deliberate change of
 * words run it with {@code -Dtest.jvm=-Dgolden=write} and read the difference.
 */
class ReasonTextsTest {
  private static final String FILE = "src/test/resources/dev/mayfly/sim/query/reasons.txt";

  @Test
  void reasonsAreThoseOfTheFile() throws IOException {
    var text = String.join("\n", new ReasonScenes().all()) + "\n";
    var file = Path.of(FILE);
    if ("write".equals(System.getProperty("golden")))
      Files.writeString(file, text, StandardCharsets.UTF_8);

    assertThat(text).isEqualTo(Files.readString(file));
  }
}
