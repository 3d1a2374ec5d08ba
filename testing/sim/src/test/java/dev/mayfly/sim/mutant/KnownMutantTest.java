package dev.mayfly.sim.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.SeedRuns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same seeds and invariants find planted mistakes. The search for each begins at the seed that
 * found it last; if that seed gives another world meanwhile, it goes on from there. {@code
 * -Dmutants=write} writes such seeds anew. With {@code -Plong} the search for each starts from
 * three first seeds.
 */
class KnownMutantTest {
  private static final boolean LONG = Integer.getInteger("mayfly.sim.seeds", 0) > 1_000;
  private static final int SEEDS = LONG ? 1_500 : 300;

  /** How many seeds a new one is looked for in. */
  private static final int FAR = 3_000;

  /** Holds the seed that found each mutant last. */
  private static final Path NEAR = Path.of("src/test/resources/known-mutants.csv");

  @ParameterizedTest
  @EnumSource(KnownMutant.class)
  void isFound(KnownMutant bug) {
    var detection =
        LONG
            ? SeedRuns.Detection.of(bug, 1, SEEDS, SeedRuns.Detection.BEGINNINGS)
            : SeedRuns.Detection.of(bug, near().getOrDefault(bug, 1L), SEEDS, 1);

    System.out.println(detection.line());
    assertThat(detection.found()).as(detection.line()).isTrue();
  }

  /** Finds a seed for each mutant whose seed gives another world meanwhile. */
  @Test
  @EnabledIfSystemProperty(named = "mutants", matches = "write")
  void seedsAreWritten() throws IOException {
    var near = near();
    var lines = new ArrayList<String>();
    for (var bug : KnownMutant.values())
      lines.add(bug.name() + "," + first(bug, near.getOrDefault(bug, 1L)));
    Files.write(NEAR, lines);
  }

  private static long first(KnownMutant bug, long near) {
    return LongStream.concat(LongStream.of(near), LongStream.rangeClosed(1, FAR))
        .parallel()
        .filter(seed -> SeedRuns.Detection.of(bug, seed, 1, 1).found())
        .findAny()
        .orElseThrow(() -> new AssertionError(bug + " is not found by " + FAR + " seeds"));
  }

  private static Map<KnownMutant, Long> near() {
    try {
      return Files.readAllLines(NEAR).stream()
          .map(line -> line.split(",", 2))
          .collect(
              Collectors.toMap(row -> KnownMutant.valueOf(row[0]), row -> Long.parseLong(row[1])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
