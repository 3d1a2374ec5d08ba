package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The queue of a cluster is one document: it refuses a job long before a store refuses it. */
class FullQueueTest {
  private final Lab lab = new Lab();

  /** As if so many jobs like the first were live. */
  private void givenQueueOf(int jobs) {
    lab.submit(Lab.count("first", 10));
    var row = Turns.row(lab.job("first"));
    var rows = new ArrayList<>(List.of(row));
    for (var i = 1; i < jobs; i++)
      rows.add(
          new Turns.Row(
              row.job().substring(5) + "%05d".formatted(i),
              "job-%05d".formatted(i),
              "",
              row.priority(),
              row.submittedAt(),
              row.need(),
              row.place(),
              false,
              0,
              row.grants(),
              0,
              row.urgent(),
              1));
    lab.store.commit(List.of(new Write.Put(Turns.of(lab.uid, lab.time.instant(), rows))));
    lab.hints.clear();
  }

  private int rows() {
    return lab.store.read(new Key.OfTurns(lab.uid)).orElseThrow().value().rows().size();
  }

  @Test
  void takesJobsUpToItsRoom() {
    givenQueueOf(1_200);

    lab.submit(Lab.count("second", 10));

    assertThat(lab.end("second")).startsWith("Running");
    assertThat(rows()).isEqualTo(1_201);
  }

  @Test
  void refusesAJobWithTheReasonAndTheRemedy() {
    givenQueueOf(2_000);

    var refused = lab.submit(Lab.count("second", 10));
    var listed = lab.submit(Lab.count("long", 300_000));

    assertThat(lab.refused(refused))
        .singleElement()
        .asString()
        .contains("the queue of cluster lab is full: 2,000 jobs run or wait there")
        .contains("stop some, or submit one job with many tasks");
    assertThat(lab.refused(listed)).singleElement().asString().contains("is full");
    assertThat(lab.jobs()).hasSize(1);
    assertThat(rows()).isEqualTo(2_000);
  }

  @Test
  void endsAListedJobThatFindsItFull() {
    lab.submit(Lab.count("big", 300_000));
    var hints = List.copyOf(lab.hints);
    givenQueueOf(2_000);
    lab.hints.addAll(hints);

    lab.deliver();

    assertThat(lab.end("big")).startsWith("FAILED: ").contains("is full");
    assertThat(rows()).isEqualTo(2_000);
  }
}
