package dev.mayfly.sim.jobs;

import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.Sentinels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** One open job, and who adds to it. */
abstract class OpenJobScene {
  final LabCluster labCluster = new LabCluster(2);

  static TaskSource.Open source(List<Map<String, String>> items) {
    return new TaskSource.Open(items, List.of("lr"), Duration.ofHours(24), Duration.ofHours(1));
  }

  void open(TaskSource.Open source) {
    labCluster.submit(LabCluster.spec("j", source, "gs://lab/out/{index}"));
  }

  void open() {
    open(source(List.of()));
  }

  static UserCommand.AddTasks tasks(String id, String... rates) {
    var tasks =
        IntStream.range(0, rates.length)
            .mapToObj(i -> new UserCommand.NewTask(Optional.empty(), Map.of("lr", rates[i])))
            .toList();
    return new UserCommand.AddTasks("lab", "j", Optional.of(id), tasks);
  }

  UserMessage add(String id, String... rates) {
    return labCluster.publish(tasks(id, rates));
  }

  UserMessage close(Optional<Long> additions) {
    return labCluster.publish(new UserCommand.CloseJob("lab", "j", additions));
  }

  List<String> rates() {
    return labCluster.shards("j").stream()
        .map(s -> s.item().orElseThrow().vars().getOrDefault("lr", ""))
        .toList();
  }

  void work() {
    var worker = labCluster.machine("w" + labCluster.now().toEpochMilli());
    for (var i = 0; i < 20 && labCluster.open("j") > 0; i++) {
      worker.syncAndWait();
      worker.leases.keySet().forEach(ref -> seal(ref.start()));
      worker.finish();
    }
    labCluster.deliver();
  }

  void seal(long index) {
    var uid = labCluster.job("j").uid();
    var output = "gs://lab/out/" + index;
    var sentinel = Sentinels.of(uid, index, output, labCluster.now());
    labCluster.put(output + Sentinel.SUFFIX, "", sentinel.metadata());
  }

  void tick() {
    labCluster.controlPlane.handle(new Trigger.Tick());
    labCluster.deliver();
  }

  TaskStatus task(long index) {
    return labCluster.controlPlane.statusQueries().task("lab", "j", index);
  }
}
