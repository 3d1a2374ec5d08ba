package dev.mayfly.core.query;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.text.HumanAmounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Explains why a ready worker cannot take a job's task. */
final class CapacityReasons {
  private final Ledger ledger;

  CapacityReasons(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Empty if there is room for a task. */
  Optional<JobExplanation.Reason> of(Job job, Worker worker) {
    var users = new LinkedHashMap<String, Resources>();
    var free = free(worker, users);
    var asked = job.spec().resources();
    if (free.fits(asked)) return Optional.empty();
    var need = free.taken(asked);
    var names = new ArrayList<String>();
    users.forEach(
        (uid, uses) -> names.add(name(worker, uid) + " " + HumanAmounts.rounded(uses, need)));
    return Optional.of(
        new JobExplanation.Reason(
            "room",
            "worker %s has %s of %s free%s, a task needs %s; in use: %s"
                .formatted(
                    worker.name(),
                    HumanAmounts.rounded(free.amounts(), need),
                    HumanAmounts.rounded(worker.total(), need),
                    devices(free, need),
                    needed(need),
                    names.isEmpty() ? "nothing" : String.join(", ", names))));
  }

  private static String needed(Resources need) {
    var amounts = HumanAmounts.rounded(need, need);
    return need.gpuMemoryBytes() <= 0
        ? amounts
        : amounts + " with " + HumanAmounts.gib(need.gpuMemoryBytes()) + " of its memory";
  }

  /** The free part of each GPU, if all GPUs together would have enough. */
  private static String devices(FreeResources free, Resources need) {
    if (!need.needsGpu()) return "";
    if (need.gpuMillis() == 0) return ", and the memory of its GPUs is not known";
    if (free.amounts().gpuMillis() < need.gpuMillis()) return "";
    return IntStream.range(0, free.gpus().size())
        .mapToObj(device -> part(free, device, need))
        .collect(Collectors.joining(", ", " (by GPU: ", ")"));
  }

  private static String part(FreeResources free, int device, Resources need) {
    var part = HumanAmounts.number(free.gpus().get(device) / 1000.0);
    return need.gpuMemoryBytes() <= 0 || device >= free.gpuMemory().size()
        ? part
        : part + " with " + HumanAmounts.gib(free.gpuMemory().get(device));
  }

  /** What remains free when as many tasks of the leases run as fit. */
  private FreeResources free(Worker worker, LinkedHashMap<String, Resources> users) {
    var open = open(worker);
    var free = FreeResources.of(worker.total());
    for (var held : worker.held()) {
      var atOnce =
          Math.min(open.getOrDefault(held.start() + "/" + held.job(), 1L), slots(free, held));
      users.merge(held.job(), free.taken(held.need()).times(atOnce), Resources::plus);
      free = free.without(held.need(), atOnce);
    }
    return free;
  }

  private static long slots(FreeResources free, Worker.Held held) {
    return free.slots(held.need());
  }

  private HashMap<String, Long> open(Worker worker) {
    var keys =
        worker.held().stream()
            .map(h -> new DocumentKey.OfShard(worker.cluster(), h.job(), h.start()))
            .toList();
    var open = new HashMap<String, Long>();
    for (var shard : ledger.readAll(keys).readableOnly())
      open.put(shard.value().start() + "/" + shard.value().job(), shard.value().open());
    return open;
  }

  private String name(Worker worker, String uid) {
    return ledger
        .readAll(List.of(new DocumentKey.OfJob(worker.cluster(), uid)))
        .readableOnly()
        .stream()
        .map(j -> j.value().spec().name())
        .findFirst()
        .orElse(uid);
  }
}
