package dev.mayfly.core.agent.output;

import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds what exists at many outputs: lists the names between the least and the greatest of them,
 * and looks up the rest one by one if too much else lies between.
 *
 * @param sealed the sentinels, by their outputs
 * @param outputs the object at an output, or at its {@code index.json}
 */
record ExistingOutputs(Map<ObjectUrl, ObjectInfo> sealed, Map<ObjectUrl, ObjectInfo> outputs) {
  static ExistingOutputs of(ObjectStore objectStore, Collection<ObjectUrl> urls) {
    var roots = new HashMap<String, TreeSet<String>>();
    for (var url : urls)
      roots.computeIfAbsent(url.root(), r -> new TreeSet<>(ObjectNames.ORDER)).add(url.name());
    var listing = new ExistingOutputs(new HashMap<>(), new HashMap<>());
    roots.forEach((root, names) -> listing.list(objectStore, root, names));
    return listing;
  }

  private void list(ObjectStore objectStore, String root, TreeSet<String> names) {
    var first = names.first();
    var prefix = ObjectNames.commonPrefix(first, names.last());
    if (prefix.isEmpty() && root.equals("file://")) {
      // No common prefix: a listing would cover the whole disk.
      for (var name : names) lookUp(objectStore, new ObjectUrl(root, name));
      return;
    }
    var last = last(names);
    var after = first.length() > prefix.length() ? first.substring(0, before(first)) : "";
    for (var pages = 3 + names.size() / 250; pages > 0; pages--) {
      var page = objectStore.list(new ObjectUrl(root, prefix), after, ObjectPage.MAX_OBJECTS);
      page.objects().forEach(info -> add(root, names, info));
      if (page.next().filter(next -> ObjectNames.ORDER.compare(next, last) < 0).isEmpty()) return;
      after = page.next().get();
    }
    for (var name : rest(names, after)) lookUp(objectStore, new ObjectUrl(root, name));
  }

  private void add(String root, Set<String> names, ObjectInfo info) {
    var name = info.url().name();
    if (names.contains(name)) outputs.put(info.url(), info);
    without(name, Sentinel.SUFFIX)
        .filter(names::contains)
        .ifPresent(n -> sealed.put(new ObjectUrl(root, n), info));
    without(name, "/" + OutputUploader.INDEX)
        .filter(names::contains)
        .ifPresent(n -> outputs.putIfAbsent(new ObjectUrl(root, n), info));
  }

  private void lookUp(ObjectStore objectStore, ObjectUrl url) {
    var sentinel = objectStore.find(url.append(Sentinel.SUFFIX));
    sentinel.ifPresent(info -> sealed.put(url, info));
    if (sentinel.isPresent()) return;
    objectStore
        .find(url)
        .or(() -> objectStore.find(url.resolve(OutputUploader.INDEX)))
        .ifPresent(info -> outputs.put(url, info));
  }

  private static Optional<String> without(String name, String suffix) {
    return name.endsWith(suffix)
        ? Optional.of(name.substring(0, name.length() - suffix.length()))
        : Optional.empty();
  }

  /** The greatest name that the listing must reach for {@code names}. */
  private static String last(Set<String> names) {
    return names.stream()
        .map(n -> n + "/" + OutputUploader.INDEX)
        .max(ObjectNames.ORDER)
        .orElseThrow();
  }

  private static List<String> rest(Set<String> names, String listed) {
    var rest = new ArrayList<String>();
    for (var name : names)
      if (ObjectNames.ORDER.compare(name + "/" + OutputUploader.INDEX, listed) > 0) rest.add(name);
    return rest;
  }

  /**
   * The start of the last character: the text before it is less than the whole name, and no
   * character is split.
   */
  private static int before(String name) {
    return name.offsetByCodePoints(name.length(), -1);
  }
}
