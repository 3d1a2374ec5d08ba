package dev.mayfly.core.control;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Looks for outputs and sentinels in bulk: by listing, a thousand at a time, or one by one where
 * there are few.
 */
final class SentinelSurvey {
  private static final int FEW = 3;

  private final Objects objects;

  SentinelSurvey(Objects objects) {
    this.objects = objects;
  }

  /** The tasks that have a sentinel; {@code items} are in order and without a gap. */
  Bits done(JobSpec spec, String bucket, String job, List<TaskItem> items) {
    if (items.isEmpty()) return Bits.none(0);
    var first = items.getFirst().index();
    var outputs = items.stream().map(i -> Outputs.of(spec, bucket, job, i)).toList();
    var found = find(outputs.stream().map(o -> o + Sentinel.SUFFIX).toList());
    return Bits.where(
        first,
        first + items.size(),
        i -> found.containsKey(outputs.get((int) (i - first)) + Sentinel.SUFFIX));
  }

  /** The objects that are there, by URL. */
  Map<String, ObjectInfo> find(List<String> urls) {
    var folders = new TreeMap<String, TreeSet<String>>();
    for (var url : urls)
      folders
          .computeIfAbsent(
              url.substring(0, url.lastIndexOf('/') + 1), f -> new TreeSet<>(ObjectNames.ORDER))
          .add(url);
    var found = new HashMap<String, ObjectInfo>();
    folders.values().forEach(names -> inFolder(names, found));
    return found;
  }

  private void inFolder(TreeSet<String> names, Map<String, ObjectInfo> found) {
    if (names.size() <= FEW) {
      for (var name : names) objects.find(Url.of(name)).ifPresent(o -> found.put(name, o));
      return;
    }
    var first = Url.of(names.first());
    var last = Url.of(names.last()).name();
    var prefix = new Url(first.root(), ObjectNames.commonPrefix(first.name(), last));
    // The first name itself must be found too, and listings begin after a name.
    objects.find(first).ifPresent(o -> found.put(names.first(), o));
    var from = Optional.of(first.name());
    while (from.filter(name -> ObjectNames.ORDER.compare(name, last) < 0).isPresent()) {
      var page = objects.list(prefix, from.get(), ObjectPage.MOST);
      for (var object : page.objects()) {
        var url = object.url().toString();
        if (names.contains(url)) found.put(url, object);
      }
      from = page.next();
    }
  }
}
