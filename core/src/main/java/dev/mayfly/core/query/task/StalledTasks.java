package dev.mayfly.core.query.task;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.StalledTask;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Why leased tasks do not go on, as their agents say, for explanations of their job. */
public final class StalledTasks {
  private static final int MOST = 3;

  private StalledTasks() {}

  /**
   * What stalls most tasks first.
   *
   * @param leased shards of the job
   */
  public static List<String> reasons(Ledger ledger, List<Shard> leased) {
    var workers = new HashSet<DocumentKey.OfWorker>();
    for (var shard : leased)
      shard
          .owner()
          .ifPresent(
              owner -> workers.add(new DocumentKey.OfWorker(shard.cluster(), owner.worker())));
    if (workers.isEmpty()) return List.of();
    var refs = leased.stream().map(Shard::lease).collect(Collectors.toSet());
    Map<String, List<StalledTask>> byReason =
        ledger.readAll(workers).readableOnly().stream()
            .flatMap(worker -> worker.value().held().stream())
            .filter(held -> refs.contains(held.ref()))
            .map(Worker.Held::stalled)
            .flatMap(List::stream)
            .collect(
                Collectors.groupingBy(StalledTask::why, LinkedHashMap::new, Collectors.toList()));
    return byReason.entrySet().stream()
        .sorted(Comparator.comparingInt(e -> -e.getValue().size()))
        .limit(MOST)
        .map(e -> text(e.getKey(), e.getValue()))
        .toList();
  }

  private static String text(String why, List<StalledTask> tasks) {
    var first = tasks.stream().map(StalledTask::until).min(Comparator.naturalOrder()).orElseThrow();
    var verb = tasks.size() == 1 ? " does" : " do";
    return HumanAmounts.count(tasks.size(), "task")
        + verb
        + " not go on: "
        + why
        + "; tried again until "
        + first;
  }
}
