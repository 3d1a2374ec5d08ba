package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The mistakes of {@code .ci/mutants}, which runs nightly, are of code that is there: whoever moves
 * that code moves them.
 */
class RuleMutantsTest {
  @Test
  void eachIsOfOnePlaceInTheCode() throws IOException {
    var lost = new ArrayList<String>();
    var file = Sources.ROOT.resolve(".ci/mutants-checks/mutants.json");
    for (var rule : new ObjectMapper().readTree(Files.readString(file)))
      for (var mutant : rule.get("mutants")) if (!isOfOnePlace(mutant)) lost.add(mistake(mutant));

    assertThat(lost).as("mistakes whose text is not in their file, or not once").isEmpty();
  }

  private static String mistake(JsonNode mutant) {
    return mutant.get("mistake").asString() + ": " + mutant.get("file").asString();
  }

  private static boolean isOfOnePlace(JsonNode mutant) throws IOException {
    var source = Sources.ROOT.resolve(mutant.get("file").asString());
    if (!Files.exists(source)) return false;
    var text = Files.readString(source);
    var old = mutant.get("old").asString();
    var first = text.indexOf(old);
    return first >= 0 && text.indexOf(old, first + 1) < 0;
  }
}
