package dev.mayfly.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of each obstacle, by what a folder is for. */
final class StoragePolicyTest {
  private static final Map<String, Obstacle> OBSTACLES =
      Map.of(
          "outside", new Obstacle.Outside("/etc"),
          "nowhere", new Obstacle.Nowhere("x"),
          "ring", new Obstacle.Ring("x"),
          "loop", new Obstacle.Loop("."),
          "unpacked", new Obstacle.NotPacked("x"),
          "many", new Obstacle.TooMany("x", 3),
          "name", new Obstacle.Name("that is not text"),
          "unreadable", new Obstacle.Unreadable("gone"),
          "special", new Obstacle.Special(),
          "unwanted", new Obstacle.Unwanted(Obstacle.Unwanted.Rule.GIT));

  @ParameterizedTest
  @CsvSource({
    // output, checkpoint, code, copy
    "outside, refused leftOut refused leftOut",
    "nowhere, refused leftOut refused leftOut",
    "ring, refused leftOut refused leftOut",
    "loop, refused leftOut refused leftOut",
    "unpacked, refused leftOut refused leftOut",
    "many, refused leftOut refused leftOut",
    "unreadable, refused leftOut refused leftOut",
    "name, refused leftOut refused refused",
    "special, leftOut leftOut leftOut leftOut",
    "unwanted, leftOut leftOut leftOut leftOut",
  })
  void everyPurposeHasItsVerdict(String obstacle, String verdicts) {
    var found = new ArrayList<String>();
    for (var policy : StoragePolicy.values())
      found.add(
          switch (policy.of(OBSTACLES.get(obstacle))) {
            case StoragePolicy.Verdict.Refused _ -> "refused";
            case StoragePolicy.Verdict.LeftOut _ -> "leftOut";
          });

    assertThat(String.join(" ", found)).isEqualTo(verdicts);
  }
}
