package dev.mayfly.cli.job;

import dev.mayfly.core.jobs.OutputLookup;
import dev.mayfly.core.jobs.OutputUrls;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The plan of a job that is not submitted: its tasks, how they fit, and how many are done already.
 *
 * @param done tasks with a sentinel at their output that the job accepts; none without an output
 *     template, because such outputs are named by the job's uid
 * @param slots concurrent tasks per worker, by pool
 * @param leftOut inputs whose names no task can use
 * @param after jobs that must have ended before; they may add or remove inputs
 */
record DryRunPlan(
    String job,
    String cluster,
    long tasks,
    long done,
    List<Slots> slots,
    List<String> leftOut,
    List<String> after) {

  /** The capacity of one pool. */
  public record Slots(String pool, String machineType, long each, long workers) {}

  public static DryRunPlan of(JobSpec spec, ClusterSpec cluster, ObjectStore objectStore) {
    var counted = spec.tasks() instanceof TaskSource.Count;
    var named = spec.data().output().isPresent();
    var leftOut = new ArrayList<String>();
    var items = counted && !named ? List.<TaskItem>of() : items(spec, objectStore, leftOut);
    // As a submission would; the inputs of a job that waits are listed later.
    var waits = spec.tasks() instanceof TaskSource.Inputs && !spec.admission().after().isEmpty();
    OutputUrls.checked(spec, cluster, spec.name(), waits ? List.of() : items);
    var tasks = spec.tasks() instanceof TaskSource.Count c ? c.count() : items.size();
    var done = named ? done(spec, cluster, items, objectStore) : 0;
    return new DryRunPlan(
        spec.name(),
        cluster.name(),
        tasks,
        done,
        slots(spec, cluster),
        leftOut,
        spec.admission().after().stream().map(Predecessor::job).toList());
  }

  private static List<Slots> slots(JobSpec spec, ClusterSpec cluster) {
    return cluster.pools().stream()
        .filter(spec.place()::allowsSomeZone)
        .map(
            p -> new Slots(p.name(), p.machineType(), p.visible().slots(spec.resources()), p.max()))
        .toList();
  }

  private static List<TaskItem> items(JobSpec spec, ObjectStore objectStore, List<String> leftOut) {
    return switch (spec.tasks()) {
      case TaskSource.Count c ->
          LongStream.range(0, c.count()).mapToObj(TaskItem::counted).toList();
      case TaskSource.Items i -> items(i.items());
      case TaskSource.Open o -> items(o.items());
      case TaskSource.Inputs i -> inputs(i.glob(), objectStore, leftOut);
      // Listed when that job has ended.
      case TaskSource.InputsOf _ -> List.of();
    };
  }

  private static List<TaskItem> items(List<Map<String, String>> all) {
    return LongStream.range(0, all.size()).mapToObj(n -> item(n, all.get((int) n))).toList();
  }

  private static TaskItem item(long n, Map<String, String> vars) {
    return new TaskItem(n, Optional.ofNullable(vars.get("input")), vars);
  }

  private static List<TaskItem> inputs(String text, ObjectStore objectStore, List<String> leftOut) {
    var objectUrl = ObjectUrl.of(text);
    var glob = Glob.of(objectUrl.name());
    var items = new ArrayList<TaskItem>();
    objectStore.forEachPage(
        new ObjectUrl(objectUrl.root(), glob.prefix()),
        page -> {
          for (var object : page.objects())
            if (glob.matches(object.url().name()))
              items.add(new TaskItem(items.size(), Optional.of(object.url().toString()), Map.of()));
          for (var name : page.unusable())
            if (glob.matches(name))
              leftOut.add(objectUrl.root() + "/" + ObjectNames.printable(name));
        });
    return items;
  }

  private static long done(
      JobSpec spec, ClusterSpec cluster, List<TaskItem> items, ObjectStore objectStore) {
    var outputLookup = new OutputLookup(objectStore);
    return outputLookup.sentinels(spec, cluster.bucket(), spec.name(), items).done().count();
  }
}
