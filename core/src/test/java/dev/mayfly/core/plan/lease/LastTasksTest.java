package dev.mayfly.core.plan.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.plan.lease.ShardAssignment.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which machines get the last tasks. */
class LastTasksTest {
  private static final long WHOLE = 1_000;

  /** Machines with free slots, in order; those with other work are marked. */
  private static List<LastTasks.Place> places(String machines) {
    var places = new ArrayList<LastTasks.Place>();
    for (var each : machines.split(" ")) {
      var busy = each.endsWith("*");
      var slots = Long.parseLong(each.replace("*", ""));
      var name = "w" + places.size();
      places.add(new LastTasks.Place(new Candidate(name, slots, !busy), slots, busy));
    }
    return places;
  }

  private static String gets(List<Candidate> candidates) {
    return candidates.stream()
        .map(it -> it.worker() + "=" + it.want())
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({
    // free slots of machines, tasks, who gets how many
    "4 4 4 4, 4, w0=4",
    "4 4 4 4, 1, w0=1",
    "4 4 4 4, 6, w3=4 w0=2",
    "4 4* 4, 3, w1=3",
    "4 1* 2*, 3, w1=1 w2=2",
    "4 1* 2*, 5, w1=1 w2=2 w0=2",
    "8 4 2, 3, w1=3",
    "8 4 2, 9, w0=8 w2=1",
    "2 2 2, 5, w2=2 w1=2 w0=1"
  })
  void fewMachinesGetTheLastTasks(String machines, long tasks, String gets) {
    assertThat(gets(LastTasks.on(places(machines), tasks, WHOLE))).isEqualTo(gets);
  }

  @Test
  void nobodyGetsMoreThanItStarts() {
    var chosen = LastTasks.on(places("4 4"), 6, WHOLE);

    assertThat(chosen).allMatch(Candidate::exact);
    assertThat(chosen).noneMatch(it -> it.want() > 4);
  }

  @ParameterizedTest
  @CsvSource({
    // tasks, those of the largest range, whether an idle machine gets whole ranges
    "8, 1000, false", // as many as places: one round
    "15, 1000, false", // the second round is the last
    "16, 1000, true",
    "100, 7, false", // a machine gets one round, and some
    "100, 8, true"
  })
  void secondRoundWaitsForFewMachines(long tasks, long largest, boolean whole) {
    var places = places("4 4");

    assertThat(LastTasks.on(places, tasks, largest))
        .extracting(Candidate::idle)
        .containsOnly(whole);
    assertThat(gets(LastTasks.on(places, tasks, largest))).isEqualTo("w0=4 w1=4");
  }

  @Test
  void shortTasksAreQueuedUntilTheLastOnes() {
    // Of short tasks an agent asks for more than it starts now.
    var queueing = new LastTasks.Place(new Candidate("w0", 40, false), 4, true);
    var other = new LastTasks.Place(new Candidate("w1", 40, false), 4, true);

    assertThat(gets(LastTasks.on(Arrays.asList(queueing, other), 30, WHOLE)))
        .isEqualTo("w0=40 w1=40");
    assertThat(gets(LastTasks.on(Arrays.asList(queueing, other), 5, WHOLE))).isEqualTo("w0=4 w1=1");
  }
}
