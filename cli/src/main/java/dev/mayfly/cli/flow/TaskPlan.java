package dev.mayfly.cli.flow;

import dev.mayfly.core.job.Glob;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.lease.ShardSize;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
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
 * @param leftOut inputs that no task can be given because of their names
 */
public record TaskPlan(
    String job,
    String cluster,
    long tasks,
    long done,
    long shards,
    long shard,
    List<Slots> slots,
    List<String> leftOut) {

  /** What one pool can do. */
  public record Slots(String pool, String machineType, long each, long workers) {}

  public static TaskPlan of(JobSpec spec, ClusterSpec cluster, Objects objects) {
    var counted = spec.tasks() instanceof TaskSource.Count;
    var named = spec.data().output().isPresent();
    var leftOut = new ArrayList<String>();
    var items = counted && !named ? List.<TaskItem>of() : items(spec, objects, leftOut);
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
        slots(spec, cluster),
        leftOut);
  }

  private static List<Slots> slots(JobSpec spec, ClusterSpec cluster) {
    return cluster.pools().stream()
        .filter(spec.place()::someZone)
        .map(
            p -> new Slots(p.name(), p.machineType(), p.visible().slots(spec.resources()), p.max()))
        .toList();
  }

  private static List<TaskItem> items(JobSpec spec, Objects objects, List<String> leftOut) {
    return switch (spec.tasks()) {
      case TaskSource.Count c ->
          LongStream.range(0, c.count()).mapToObj(TaskItem::counted).toList();
      case TaskSource.Items i ->
          LongStream.range(0, i.items().size())
              .mapToObj(n -> item(n, i.items().get((int) n)))
              .toList();
      case TaskSource.Inputs i -> inputs(i.glob(), objects, leftOut);
    };
  }

  private static TaskItem item(long n, Map<String, String> vars) {
    return new TaskItem(n, Optional.ofNullable(vars.get("input")), vars);
  }

  private static List<TaskItem> inputs(String text, Objects objects, List<String> leftOut) {
    var url = Url.of(text);
    var glob = Glob.of(url.name());
    var items = new ArrayList<TaskItem>();
    each(
        objects,
        new Url(url.root(), glob.prefix()),
        page -> {
          for (var object : page.objects())
            if (glob.matches(object.url().name()))
              items.add(new TaskItem(items.size(), Optional.of(object.url().toString()), Map.of()));
          for (var name : page.unusable())
            if (glob.matches(name)) leftOut.add(url.root() + "/" + ObjectNames.printable(name));
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
    each(
        objects,
        Url.of(folder),
        page -> page.objects().forEach(found -> names.add(found.url().toString())));
    return names;
  }

  private static void each(Objects objects, Url prefix, Consumer<ObjectPage> use) {
    for (var after = Optional.of(""); after.isPresent(); ) {
      var page = objects.list(prefix, after.get(), ObjectPage.MOST);
      use.accept(page);
      after = page.next();
    }
  }
}
