package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ViewsTest {
  private final Lab lab = new Lab(1);

  @Test
  void twoJobsShareAWorkerAndTheThirdIsToldWhy() {
    lab.submit(Lab.count("one", 1));
    lab.submit(Lab.count("two", 1));
    lab.machine("w").ask();
    lab.submit(Lab.count("three", 1));

    var why = lab.control.views().explain("lab", "three");
    assertThat(why.summary()).startsWith("0 of 1 tasks done");
    assertThat(why.queue()).containsExactly("one", "two");
    assertThat(why.reasons())
        .anySatisfy(r -> {
          assertThat(r.kind()).isEqualTo("room");
          assertThat(r.text()).contains("worker w has 0 CPU", "one 1 CPU", "two 1 CPU");
        });
    assertThat(why.reasons()).extracting(r -> r.kind()).contains("max", "turn");
  }

  @Test
  void ownersAreToldTheirSharesAndAPinThatNobodyMeets() {
    lab.submit(owned(Lab.count("one", 1), "ada", Place.ANYWHERE));
    lab.submit(owned(Lab.count("uno", 1), "ada", Place.ANYWHERE));
    lab.machine("w").ask();
    lab.submit(
        owned(Lab.count("two", 1), "bob", new Place(List.of(), List.of(), List.of("w-old"))));

    assertThat(lab.control.views().explain("lab", "two").reasons())
        .extracting(r -> r.kind() + ": " + r.text())
        .contains(
            "share: owners of priority 50 run tasks: ada 2, bob 0",
            "place: it may run on worker w-old, which is not there; submit it without workers to let it run on others");
  }

  private static JobSpec owned(JobSpec s, String owner, Place place) {
    return new JobSpec(
        s.name(),
        s.cluster(),
        Optional.of(owner),
        s.tasks(),
        s.data(),
        s.run(),
        s.resources(),
        s.retries(),
        s.priority(),
        place,
        s.exclusive(),
        s.gang(),
        s.anyRegion(),
        s.settle());
  }

  @Test
  void unfitWorkersAreTheCause() {
    lab.machine("w").ask();
    lab.change(
        "w", false, x -> x.troubled(Optional.of(SyncReport.UNFIT + "no nvidia-smi; no driver?")));
    lab.submit(Lab.count("j", 1));

    assertThat(lab.control.views().explain("lab", "j").reasons())
        .extracting(r -> r.kind() + ": " + r.text())
        .startsWith(
            "unfit: worker w takes no tasks: no nvidia-smi; no driver?",
            "max: pool cpu has its most workers, 1, of which 1 take no tasks now");
    assertThat(lab.control.views().workers("lab", false).getFirst().state()).isEqualTo("unfit");
    assertThat(lab.control.views().cluster("lab").workers()).isEqualTo(Map.of("unfit", 1));
    assertThat(lab.control.views().jobs("lab", 5).getFirst().reason())
        .hasValueSatisfying(why -> assertThat(why).startsWith("unfit: worker w takes no tasks"));
  }

  @Test
  void missingLimitsHideNothing() {
    var w = lab.machine("w");
    w.ask();
    lab.change(
        "w", false, x -> x.troubled(Optional.of(SyncReport.UNLIMITED + "no control groups")));
    lab.pass(40_000);
    var view = lab.control.views().workers("lab", false).getFirst();

    assertThat(view.state()).isEqualTo("ready");
    assertThat(view.problem()).hasValueSatisfying(p -> assertThat(p).startsWith("silent"));
    assertThat(lab.control.views().cluster("lab").troubles())
        .containsExactly("w: not enforced: no control groups");
  }

  @Test
  void turnNamesOnlyJobsOfTheSamePools() {
    lab.submit(owned(Lab.count("gpus", 1), "ada", Place.inPools(List.of("gpu"))));
    lab.submit(owned(Lab.count("pinned", 1), "ada", worker("w-old")));
    lab.submit(owned(Lab.count("before", 1), "ada", Place.ANYWHERE));
    lab.submit(owned(Lab.count("mine", 1), "ada", worker("w-new")));

    var why = lab.control.views().explain("lab", "mine");
    assertThat(why.queue()).containsExactly("before");
    assertThat(why.reasons())
        .extracting(r -> r.kind())
        .startsWith("place")
        .doesNotContain("max", "stockout");
  }

  private static Place worker(String name) {
    return new Place(List.of(), List.of(), List.of(name));
  }

  @Test
  void eventsAreOfThisJobAlone() {
    lab.submit(Lab.count("j", 1));
    var first = lab.job("j").uid();
    lab.stop("j");
    lab.deliver();
    lab.pass(60_000);
    lab.submit(Lab.count("j", 2));

    var events = lab.control.views().explain("lab", "j").events();
    assertThat(events).extracting(e -> e.what()).containsExactly("asked", "accepted");
    assertThat(events.getLast().why()).startsWith("2 tasks");
    assertThat(lab.control.views().explain("lab", first).events())
        .extracting(e -> e.what())
        .contains("accepted", "stopped")
        .hasSizeGreaterThan(1);
    assertThat(lab.control.views().explain("lab", first).events())
        .noneMatch(e -> e.why().startsWith("2 tasks"));
  }

  @Test
  void succeededJobIsNotFailing() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    w.ask();
    w.failed(0);
    w.release();
    w.ask();
    assertThat(lab.control.views().explain("lab", "j").reasons())
        .anySatisfy(r -> assertThat(r.text()).startsWith("1 attempt ended: user error"));

    w.did(task -> true);
    lab.put("gs://lab/out/j/0.COMPLETE");
    w.release();
    w.ask();
    lab.deliver();
    assertThat(lab.end("j")).startsWith("SUCCEEDED");
    assertThat(lab.control.views().explain("lab", "j").reasons()).isEmpty();
  }

  @Test
  void aJobIsSeenWithWhatFailed() {
    lab.submit(Lab.count("j", 2));
    var w = lab.machine("w");
    w.ask();
    w.failed(1);
    w.release();
    w.ask();

    var view = lab.control.views().job("lab", "j");
    assertThat(view.state()).isEqualTo("running");
    assertThat(view.attempts()).containsEntry(Cause.USER, 1L);
    assertThat(view.failures()).singleElement().satisfies(f -> assertThat(f.index()).isEqualTo(1));
    assertThat(lab.control.views().explain("lab", "j").reasons())
        .anyMatch(r ->
            r.kind().equals("failing")
                && r.text().startsWith("1 attempt ended: user error, exit code"));
  }

  @Test
  void aWorkerIsSeenWithItsLeasesAndItsSilence() {
    lab.submit(Lab.count("j", 1));
    var w = lab.machine("w");
    w.ask();
    lab.pass(2_000);
    var view = lab.control.views().workers("lab", false).getFirst();
    assertThat(view.state()).isEqualTo("ready");
    assertThat(view.leases())
        .singleElement()
        .satisfies(l -> assertThat(l.jobName()).isEqualTo("j"));
    lab.pass(20_000);
    assertThat(lab.control.views().workers("lab", false).getFirst().problem().orElse(""))
        .startsWith("silent");
  }

  @Test
  void unknownNamesAreAnsweredWithThoseThatThereAre() {
    lab.submit(Lab.count("mine", 1));
    assertThatThrownBy(() -> lab.control.views().job("lab", "yours"))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("mine");
    assertThatThrownBy(() -> lab.control.views().cluster("attic"))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("lab");
  }

  @Test
  void aClusterIsSeenWithItsPools() {
    lab.machine("w").ask();
    var view = lab.control.views().cluster("lab");
    assertThat(view.workers()).isEqualTo(Map.of("ready", 1));
    assertThat(view.pools()).singleElement().satisfies(p -> assertThat(p.live()).isEqualTo(1));
    assertThat(lab.control.views().clusters()).hasSize(1);
  }

  @Test
  void aTickTakesOldNewsOutOfThePulseAndKeepsWhatIsYoung() {
    var work = lab.now();
    var old = new HashMap<String, Instant>();
    for (var i = 0; i < 150; i++) old.put("w" + i, lab.now());
    lab.store.commit(List.of(new Write.Put(new Pulse(lab.uid, lab.now(), old))));
    lab.pass(11 * 60_000);
    lab.store.commit(List.of(new Write.Notify(lab.uid, lab.now(), false, List.of("young"))));
    lab.control.look(new Hint.Tick());

    var pulse = lab.store.read(new Key.OfPulse(lab.uid)).orElseThrow().value();
    assertThat(pulse.workers()).containsOnlyKeys("young");
    assertThat(pulse.work()).isEqualTo(work);
  }

  @Test
  void aLostWorkerIsSeenWithTheReason() {
    var w = lab.machine("w");
    w.ask();
    lab.change(
        "w", false, x -> x.with(new WorkerState.Lost(lab.now(), Cause.LOST, "silent for 20 s")));
    var view = lab.control.views().workers("lab", true).getFirst();
    assertThat(view.reason()).isEqualTo(Optional.of("silent for 20 s"));
  }
}
