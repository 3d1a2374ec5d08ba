package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.OpenTasks;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.Sentinels;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An open job against a model: its tasks are exactly those of the additions that arrived, each once
 * and in the order of its message, whatever is doubled, late, lost, or interrupted by a crash.
 */
class OpenJobModelTest {
  static LongStream theTasksAreThoseThatArrived() {
    return LongStream.range(0, Long.getLong("mayfly.seeds", 60));
  }

  @ParameterizedTest
  @MethodSource
  void theTasksAreThoseThatArrived(long seed) {
    new Run(seed).play();
  }

  /** One seed's run. */
  private static final class Run {
    private final Random random;
    private final LabCluster labCluster = new LabCluster(3);
    private final List<ControlPlane> instances =
        List.of(labCluster.controlPlane, labCluster.control("b"));
    private final List<UserMessage> onTheirWay = new ArrayList<>();
    private final Map<String, List<String>> arrived = new TreeMap<>();
    private final Map<String, Map.Entry<String, List<String>>> published = new TreeMap<>();
    private int workers;
    private Instant lateFrom = Instant.MAX;
    private boolean lost;

    Run(long seed) {
      random = new Random(seed);
    }

    void play() {
      labCluster.submit(
          LabCluster.spec(
              "j",
              new TaskSource.Open(
                  List.of(), List.of("x"), Duration.ofHours(9), Duration.ofHours(1)),
              "gs://lab/out/{index}"));
      var additions = random.nextInt(12);
      for (var i = 0; i < additions; i++) {
        publish("a" + i);
        if (random.nextBoolean()) step();
      }
      labCluster.advance(random.nextInt(3_000));
      lateFrom = labCluster.now().plus(OpenTasks.LATE);
      send(new UserCommand.CloseJob("lab", "j", Optional.of((long) additions)), false);
      for (var i = 0; i < 1_000 && !onTheirWay.isEmpty(); i++) step();
      if (lost) labCluster.advance(130_000);
      finish();
      check();
    }

    private void publish(String id) {
      var values = IntStream.range(0, 1 + random.nextInt(3)).mapToObj(n -> id + "-" + n).toList();
      var tasks =
          values.stream()
              .map(x -> new UserCommand.NewTask(Optional.empty(), Map.of("x", x)))
              .toList();
      var message =
          send(
              new UserCommand.AddTasks("lab", "j", Optional.of(id), tasks),
              random.nextInt(20) == 0);
      message.ifPresent(m -> published.put(m.id(), Map.entry(id, values)));
    }

    /** Each message arrives once or several times, in any order; some never do. */
    private Optional<UserMessage> send(UserCommand command, boolean isLost) {
      var message = labCluster.message(command);
      lost |= isLost;
      if (isLost) return Optional.empty();
      for (var copies = 1 + random.nextInt(3); copies > 0; copies--)
        onTheirWay.add(random.nextInt(onTheirWay.size() + 1), message);
      return Optional.of(message);
    }

    private void step() {
      switch (random.nextInt(5)) {
        case 0 -> work();
        case 1 -> labCluster.advance(random.nextInt(2_000));
        case 2 -> instances.get(random.nextInt(2)).handle(new Trigger.Tick());
        default -> deliverOne();
      }
      assertThat(labCluster.shards("j")).hasSize((int) labCluster.job("j").tasks().count());
    }

    private void deliverOne() {
      if (onTheirWay.isEmpty()) return;
      lost |= !labCluster.now().isBefore(lateFrom);
      var message = onTheirWay.removeFirst();
      if (random.nextInt(6) == 0) crashAfterCommit();
      try {
        instances.get(random.nextInt(2)).commandHandler().handle(message);
      } catch (UnavailableException redelivered) {
        onTheirWay.add(random.nextInt(onTheirWay.size() + 1), message);
      }
      labCluster.ledger.unknown(writes -> false);
      var of = published.get(message.id());
      if (of != null && labCluster.refused(message).isEmpty())
        arrived.put(of.getKey(), of.getValue());
    }

    private void crashAfterCommit() {
      labCluster.ledger.unknown(writes ->
          writes.stream()
              .anyMatch(w -> w instanceof LedgerWrite.Create c && c.document() instanceof Shard));
    }

    private void work() {
      var agent = labCluster.machine("w" + ++workers);
      agent.syncAndWait();
      while (!agent.leases.isEmpty()) {
        agent.finish();
        for (var shard : labCluster.shards("j"))
          if (shard.state() == Shard.State.ENDED) seal(shard.start());
      }
      agent.drained = true;
      agent.syncAndWait();
    }

    private void seal(long index) {
      var uid = labCluster.job("j").uid();
      var output = "gs://lab/out/" + index;
      var sentinel = Sentinels.of(uid, index, output, labCluster.now());
      labCluster.put(output + Sentinel.SUFFIX, "", sentinel.metadata());
    }

    private void finish() {
      for (var i = 0; i < 100 && !labCluster.job("j").state().ended(); i++) {
        if (labCluster.open("j") > 0) work();
        labCluster.controlPlane.handle(new Trigger.Tick());
        labCluster.deliver();
        labCluster.advance(1_000);
      }
    }

    private void check() {
      var tasks = new TreeMap<String, List<String>>();
      for (var shard : labCluster.shards("j")) {
        var value = shard.item().orElseThrow().vars().getOrDefault("x", "");
        tasks.computeIfAbsent(value.replaceAll("-.*", ""), _ -> new ArrayList<>()).add(value);
      }
      assertThat(tasks).isEqualTo(arrived);
      // Nothing that was published before the close is refused for it, unless something was lost.
      if (!lost) assertThat(arrived).hasSize(published.size());
      var count = arrived.values().stream().mapToInt(List::size).sum();
      assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: " + count + " done");
    }
  }
}
