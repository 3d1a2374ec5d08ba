package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WireTest {
  private final Wire wire = Wire.shared();

  record View(String name, Optional<Trigger> trigger, List<TaskSource> sources, double share) {}

  @Test
  void writtenValuesReadBackEqual() {
    for (var goldenSample : GoldenSample.values()) {
      var each = GoldenSample.of(goldenSample.type());
      assertThat(again(each)).isEqualTo(each);
    }
  }

  @Test
  void equalValuesHaveEqualBytes() {
    var codec = Wire.codec();

    assertThat(codec.hash(GoldenSample.of(Cluster.class).spec()))
        .isEqualTo(codec.hash(again(GoldenSample.of(Cluster.class)).spec()));
    assertThat(new String(wire.document(GoldenSample.of(Cluster.class)), UTF_8))
        .contains("\"env\":{\"A\":\"1\",\"B\":\"2\"}");
  }

  @Test
  void everyStateReadsBackTheSame() {
    var at = GoldenSample.AT;
    for (var state :
        List.of(
            new WorkerState.Launching(at, at),
            new WorkerState.Booting(at, at, "op"),
            new WorkerState.Ready(at, Optional.of(at)),
            new WorkerState.Draining(at, new DrainReason(DrainCause.UNNEEDED, "idle"), at),
            new WorkerState.Drained(at, "idle"),
            new WorkerState.Lost(at, FailureCause.LOST, "silent"),
            new WorkerState.Gone(at, "deleted")))
      assertThat(again(GoldenSample.of(Worker.class).with(state)).state()).isEqualTo(state);
    for (var state :
        List.of(
            new JobState.Waiting(at),
            new JobState.Expanding("a", 5, -1),
            new JobState.Running(at),
            new JobState.Stopping(at, "ann"),
            new JobState.Finishing(at, true),
            new JobState.Ended(
                at, JobState.Result.STOPPED, "asked", TaskTotals.NONE, Map.of(), Optional.empty()),
            new JobState.Ended(
                at,
                JobState.Result.FAILED,
                "1 failed for good",
                new TaskTotals(1, 1, 0, 0, 2),
                Map.of(FailureCause.USER, 3L),
                Optional.of("gs://lab/mayfly/.jobs/j/outcome/00000.jsonl"))))
      assertThat(again(GoldenSample.of(Job.class).with(state)).state()).isEqualTo(state);
  }

  @Test
  void aStateIsAWordAndItsFields() {
    var json =
        new String(
            wire.document(
                GoldenSample.of(Worker.class)
                    .with(new WorkerState.Ready(GoldenSample.AT, Optional.empty()))),
            UTF_8);

    assertThat(json).contains("\"state\":{\"state\":\"ready\",\"since\":\"2026-01-31T10:00:00Z\"}");
  }

  @Test
  void aSetOfTasksKeepsItsFirstIndex() {
    var shard = again(GoldenSample.of(Shard.class));
    var orders = wire.orders(wire.orders(GoldenSample.of(SyncOrders.class)));

    assertThat(shard.done().first()).isEqualTo(40);
    assertThat(shard.failures().first()).isEqualTo(40);
    assertThat(orders.leases().getFirst().skip().first()).isZero();
    assertThat(new String(wire.document(GoldenSample.of(Shard.class)), UTF_8))
        .contains("\"done\":\"CQ==\"");
  }

  @Test
  void emptyTaskSetStartsAtShardStart() {
    var shard =
        wire.document(
            Shard.class,
            bytes(
                """
                {"cluster":"c","job":"j","start":7,"end":9,"state":"ready","checkpointAt":"1970-01-01T00:00:00Z",
                 "splitAt":"1970-01-01T00:00:00Z","fromANewerVersion":{"x":[1]}}\
                """));

    assertThat(shard.done().or(TaskSet.none(7).with(8)).has(8)).isTrue();
    assertThat(shard.epoch()).isZero();
    assertThat(shard.owner()).isEmpty();
  }

  @Test
  void missingTextIsReportedWithPath() {
    assertThatThrownBy(() -> wire.document(EventRecord.class, bytes("{\"cluster\":\"c\"}")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("id: is missing");
    assertThatThrownBy(() ->
            wire.orders(
                bytes(
                    "{\"now\":\"2026-01-31T10:00:00Z\",\"due\":\"2026-01-31T10:00:00Z\",\"leases\":[{\"ref\":4}]}")))
        .hasMessage("leases[0].ref: 4 is not an object");
    assertThatThrownBy(() -> wire.document(Worker.class, bytes("[1")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("is not JSON: ");
  }

  @Test
  void unknownWordIsReportedWithKnownOnes() {
    assertThatThrownBy(() -> wire.trigger(bytes("{\"kind\":\"lok\"}")))
        .hasMessage(
            "kind: \"lok\" is none of collect-orphans, expand, finalize, reconcile, run-schedules, start-waiting, tick");
    assertThatThrownBy(
            () -> wire.document(Job.class, bytes("{\"cluster\":\"c\",\"uid\":\"j\",\"spec\":3}")))
        .hasMessage("spec: 3 is not an object");
  }

  @Test
  void triggersCarryTheirKind() {
    for (var trigger :
        List.of(
            new Trigger.Tick(),
            new Trigger.CollectOrphans(),
            new Trigger.Reconcile("c"),
            new Trigger.Reconcile("c", List.of("w"), List.of("j")),
            new Trigger.StartWaiting("c"),
            new Trigger.RunSchedules("c"),
            new Trigger.Finalize("c", "j")))
      assertThat(wire.trigger(wire.trigger(trigger))).isEqualTo(trigger);
  }

  @Test
  void aViewIsAPlainRecord() {
    var view =
        new View("n", Optional.of(new Trigger.Tick()), List.of(new TaskSource.Count(3)), 0.25);

    assertThat(wire.read(View.class, wire.json(view))).isEqualTo(view);
    assertThat(new String(wire.json(new View("n", Optional.empty(), List.of(), 1)), UTF_8))
        .isEqualTo("{\"name\":\"n\",\"sources\":[],\"share\":1.0}");
  }

  @Test
  void tasksAreALineEach() {
    var items =
        List.of(
            TaskItem.counted(0),
            new TaskItem(1, Optional.of("gs://b/a\nb"), Map.of("x", "\u2028")));

    var lines = Wire.codec().tasks(items);

    assertThat(new String(lines, UTF_8).split("\n")).hasSize(2);
    assertThat(Wire.codec().tasks(lines)).isEqualTo(items);
  }

  @Test
  void foreignSentinelIsNotRead() {
    var codec = Wire.codec();

    assertThat(codec.sentinel(new byte[0])).isEmpty();
    assertThat(codec.sentinel(bytes("done\n"))).isEmpty();
    assertThat(codec.sentinel(bytes("{\"job\":\"j\"}"))).isEmpty();
    assertThat(codec.sentinel(bytes("[".repeat(100_000)))).isEmpty();
  }

  @Test
  void reportsAndOrdersReadBackTheSame() {
    assertThat(wire.report(wire.report(GoldenSample.of(SyncReport.class))))
        .isEqualTo(GoldenSample.of(SyncReport.class));
    assertThat(wire.read(SyncOrders.class, wire.orders(GoldenSample.of(SyncOrders.class))))
        .isEqualTo(GoldenSample.of(SyncOrders.class));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @SuppressWarnings("unchecked")
  private <T> T again(T value) {
    return (T) wire.read(value.getClass(), wire.json(value));
  }
}
