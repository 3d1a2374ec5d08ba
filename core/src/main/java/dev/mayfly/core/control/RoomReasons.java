package dev.mayfly.core.control;

import dev.mayfly.core.model.FreeRoom;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.Amounts;
import dev.mayfly.core.port.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says what keeps a job's task from a worker that is ready. */
final class RoomReasons {
  private final Ledger ledger;

  RoomReasons(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Empty if there is room for a task. */
  Optional<Explanation.Reason> of(Job job, Worker worker) {
    var users = new LinkedHashMap<String, Resources>();
    var free = free(worker, users);
    var need = job.spec().resources();
    if (free.fits(need)) return Optional.empty();
    var names = new ArrayList<String>();
    users.forEach((uid, uses) -> names.add(name(worker, uid) + " " + Amounts.rounded(uses, need)));
    return Optional.of(
        new Explanation.Reason(
            "room",
            "worker %s has %s of %s free%s, a task needs %s; in use: %s"
                .formatted(
                    worker.name(),
                    Amounts.rounded(free.amounts(), need),
                    Amounts.rounded(worker.total(), need),
                    devices(free, need),
                    Amounts.rounded(need, need),
                    names.isEmpty() ? "nothing" : String.join(", ", names))));
  }

  /** Where there is enough of all GPUs together, what each has. */
  private static String devices(FreeRoom free, Resources need) {
    if (need.gpuMillis() == 0 || free.amounts().gpuMillis() < need.gpuMillis()) return "";
    return free.gpus().stream()
        .map(g -> Amounts.number(g / 1000.0))
        .collect(Collectors.joining(", ", " (by GPU: ", ")"));
  }

  /** What the leases leave when as many of their tasks run as can. */
  private FreeRoom free(Worker worker, LinkedHashMap<String, Resources> users) {
    var open = open(worker);
    var free = FreeRoom.of(worker.total());
    for (var held : worker.held()) {
      var side =
          Math.min(open.getOrDefault(held.start() + "/" + held.job(), 1L), slots(free, held));
      users.merge(held.job(), held.need().times(side), Resources::plus);
      free = free.without(held.need(), side);
    }
    return free;
  }

  private static long slots(FreeRoom free, Worker.Held held) {
    return free.slots(held.need());
  }

  private HashMap<String, Long> open(Worker worker) {
    var keys =
        worker.held().stream()
            .map(h -> new Key.OfShard(worker.cluster(), h.job(), h.start()))
            .toList();
    var open = new HashMap<String, Long>();
    for (var shard : ledger.readAll(keys).some())
      open.put(shard.value().start() + "/" + shard.value().job(), shard.value().open());
    return open;
  }

  private String name(Worker worker, String uid) {
    return ledger.readAll(List.of(new Key.OfJob(worker.cluster(), uid))).some().stream()
        .map(j -> j.value().spec().name())
        .findFirst()
        .orElse(uid);
  }
}
