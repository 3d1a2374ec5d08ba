package dev.mayfly.cli.flow;

import dev.mayfly.core.job.Glob;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.lease.ShardSize;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * What a job would do, found out without asking anybody to do it: its tasks, how they fit, and
 * which have a sentinel already.
 *
 * @param done tasks with a sentinel at their output; a job without an output template has none, for
 *     its outputs are named by its own uid
 * @param shard tasks in one shard at first
 * @param slots tasks side by side on one worker, by pool
 */
public record TaskPlan(
    String job, String cluster, long tasks, long done, long shards, long shard, List<Slots> slots) {
  private static final int PAGE = 1_000;

  /** What one pool can do. */
  public record Slots(String pool, String machineType, long each, long workers) {}

  public static TaskPlan of(JobSpec spec, ClusterSpec cluster, Objects objects) {
    var counted = spec.tasks() instanceof TaskSource.Count;
    var named = spec.data().output().isPresent();
    var items = counted && !named ? List.<TaskItem>of() : items(spec, objects);
    var tasks = spec.tasks() instanceof TaskSource.Count c ? c.count() : items.size();
    var shard = ShardSize.of(tasks, spec, cluster);
    var done = named ? done(spec, cluster, items, objects) : 0;
    return new TaskPlan(
        spec.name(),
        cluster.name(),
        tasks,
        done,
        (tasks + shard - 1) / shard,
        shard,
        slots(spec, cluster));
  }

  private static List<Slots> slots(JobSpec spec, ClusterSpec cluster) {
    return cluster.pools().stream()
        .filter(spec.place()::someZone)
        .map(
            p -> new Slots(p.name(), p.machineType(), p.visible().slots(spec.resources()), p.max()))
        .toList();
  }

  private static List<TaskItem> items(JobSpec spec, Objects objects) {
    return switch (spec.tasks()) {
      case TaskSource.Count c ->
          LongStream.range(0, c.count()).mapToObj(TaskItem::counted).toList();
      case TaskSource.Items i ->
          LongStream.range(0, i.items().size())
              .mapToObj(n -> item(n, i.items().get((int) n)))
              .toList();
      case TaskSource.Inputs i -> inputs(i.glob(), objects);
    };
  }

  private static TaskItem item(long n, Map<String, String> vars) {
    return new TaskItem(n, Optional.ofNullable(vars.get("input")), vars);
  }

  private static List<TaskItem> inputs(String text, Objects objects) {
    var url = Url.of(text);
    var glob = Glob.of(url.name());
    var items = new ArrayList<TaskItem>();
    each(
        objects,
        new Url(url.root(), glob.prefix()),
        found -> {
          if (glob.matches(found.name()))
            items.add(new TaskItem(items.size(), Optional.of(found.toString()), Map.of()));
        });
    return items;
  }

  private static long done(
      JobSpec spec, ClusterSpec cluster, List<TaskItem> items, Objects objects) {
    var folders = new HashMap<String, Set<String>>();
    var done = 0L;
    for (var item : items) {
      var sentinel = Template.output(spec, cluster.bucket(), spec.name(), item) + Sentinel.SUFFIX;
      var folder = sentinel.substring(0, sentinel.lastIndexOf('/') + 1);
      if (folders.computeIfAbsent(folder, f -> names(f, objects)).contains(sentinel)) done++;
    }
    return done;
  }

  private static Set<String> names(String folder, Objects objects) {
    var names = new HashSet<String>();
    each(objects, Url.of(folder), found -> names.add(found.toString()));
    return names;
  }

  private static void each(Objects objects, Url prefix, Consumer<Url> use) {
    var after = "";
    while (true) {
      var page = objects.list(prefix, after, PAGE);
      page.forEach(o -> use.accept(o.url()));
      if (page.size() < PAGE) return;
      after = page.getLast().url().name();
    }
  }
}
