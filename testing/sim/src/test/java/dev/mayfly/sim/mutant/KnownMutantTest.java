package dev.mayfly.sim.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.SeedRuns;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same seeds and invariants find planted mistakes. With {@code -Plong} the search for each
 * starts from three first seeds.
 */
class KnownMutantTest {
  private static final boolean LONG = Integer.getInteger("mayfly.sim.seeds", 0) > 1_000;
  private static final int SEEDS = LONG ? 1_500 : 300;

  /**
   * The seeds that found the rarer mutants last, where the search starts. If such a seed gives
   * another world meanwhile, the search continues through all seeds.
   */
  private static final Map<KnownMutant, Integer> NEAR =
      Map.ofEntries(
          Map.entry(KnownMutant.NO_FENCING_OF_DOCUMENTS, 2),
          Map.entry(KnownMutant.DELETE_ON_SLOW_CREATE, 3),
          Map.entry(KnownMutant.STOP_NOT_LOOKED_UP_AGAIN, 4),
          Map.entry(KnownMutant.ACKNOWLEDGED_TOO_EARLY, 3),
          Map.entry(KnownMutant.PREEMPTION_CHARGED_TO_THE_USER, 3),
          Map.entry(KnownMutant.GANG_PUBLISHES_A_HALF, 25),
          Map.entry(KnownMutant.A_BAD_DOCUMENT_STOPS_ALL_ROUNDS, 21),
          Map.entry(KnownMutant.A_WAITING_CALL_OUTLIVES_ITS_DUE_TIME, 26),
          Map.entry(KnownMutant.THE_LAST_HOST_IS_NOT_WAITED_FOR, 2),
          Map.entry(KnownMutant.A_REPEATED_SUBMISSION_IS_ANOTHER_JOB, 2),
          Map.entry(KnownMutant.BOTH_SIDES_DROP_A_FINISHED_TASK, 2),
          Map.entry(KnownMutant.CAPACITY_FREED_BEFORE_THE_KILL, 4),
          Map.entry(KnownMutant.SHARED_SILENCE_TAKEN_AS_LOSS, 26),
          Map.entry(KnownMutant.SENTINEL_REPLACED, 2),
          Map.entry(KnownMutant.MESSAGES_COUNT_FROM_THEIR_DELIVERY, 2),
          Map.entry(KnownMutant.GANG_STARTS_BEFORE_ALL_ARE_PREPARED, 4),
          Map.entry(KnownMutant.SWEEP_WITHOUT_THE_EXACT_LABEL, 2),
          Map.entry(KnownMutant.OUR_DENIAL_TAKEN_FOR_A_REFUSAL, 23),
          Map.entry(KnownMutant.A_FULL_DISK_IS_IGNORED, 24),
          Map.entry(KnownMutant.AN_ACCEPTED_DELETE_TAKEN_FOR_THE_END, 949),
          Map.entry(KnownMutant.A_DRAIN_KILLS_AT_ITS_DEADLINE, 54),
          Map.entry(KnownMutant.A_LIFE_ENDS_BEFORE_ITS_TASKS, 106),
          Map.entry(KnownMutant.A_GANG_FITS_NO_BATCH, 47));

  @ParameterizedTest
  @EnumSource(KnownMutant.class)
  void isFound(KnownMutant bug) {
    var detection =
        LONG
            ? SeedRuns.Detection.of(bug, 1, SEEDS, SeedRuns.Detection.BEGINNINGS)
            : SeedRuns.Detection.of(bug, NEAR.getOrDefault(bug, 1), SEEDS, 1);

    System.out.println(detection.line());
    assertThat(detection.found()).as(detection.line()).isTrue();
  }
}
