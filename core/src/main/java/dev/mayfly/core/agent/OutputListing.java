package dev.mayfly.core.agent;

import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What lies at many outputs: by listing the names between the least and the greatest of them, and,
 * where too much else lies between, by asking for the rest one by one.
 *
 * @param sealed outputs that have a sentinel
 * @param outputs what lies at an output, or at its {@code index.json}
 */
record OutputListing(Set<Url> sealed, Map<Url, ObjectInfo> outputs) {
  private static final int PAGE = 1_000;

  static OutputListing of(Objects objects, Collection<Url> urls) {
    var roots = new HashMap<String, TreeSet<String>>();
    for (var url : urls)
      roots.computeIfAbsent(url.root(), r -> new TreeSet<>(OutputListing::compare)).add(url.name());
    var listing = new OutputListing(new HashSet<>(), new HashMap<>());
    roots.forEach((root, names) -> listing.look(objects, root, names));
    return listing;
  }

  private void look(Objects objects, String root, TreeSet<String> names) {
    var first = names.first();
    var prefix = common(first, names.last());
    var last = last(names);
    var after = first.length() > prefix.length() ? first.substring(0, before(first)) : "";
    for (var pages = 3 + names.size() / 250; pages > 0; pages--) {
      var page = objects.list(new Url(root, prefix), after, PAGE);
      for (var info : page) {
        after = info.url().name();
        if (compare(after, last) > 0) return;
        note(root, names, info);
      }
      if (page.size() < PAGE) return;
    }
    for (var name : rest(names, after)) ask(objects, new Url(root, name));
  }

  private void note(String root, Set<String> names, ObjectInfo info) {
    var name = info.url().name();
    if (names.contains(name)) outputs.put(info.url(), info);
    without(name, Sentinel.SUFFIX)
        .filter(names::contains)
        .ifPresent(n -> sealed.add(new Url(root, n)));
    without(name, "/" + Upload.INDEX)
        .filter(names::contains)
        .ifPresent(n -> outputs.putIfAbsent(new Url(root, n), info));
  }

  private void ask(Objects objects, Url url) {
    if (objects.find(url.plus(Sentinel.SUFFIX)).isPresent()) {
      sealed.add(url);
      return;
    }
    objects
        .find(url)
        .or(() -> objects.find(url.in(Upload.INDEX)))
        .ifPresent(info -> outputs.put(url, info));
  }

  private static Optional<String> without(String name, String suffix) {
    return name.endsWith(suffix)
        ? Optional.of(name.substring(0, name.length() - suffix.length()))
        : Optional.empty();
  }

  /** The greatest name that a listing for {@code names} is about. */
  private static String last(Set<String> names) {
    return names.stream()
        .map(n -> n + "/" + Upload.INDEX)
        .max(OutputListing::compare)
        .orElseThrow();
  }

  private static List<String> rest(Set<String> names, String listed) {
    var rest = new ArrayList<String>();
    for (var name : names) if (compare(name + "/" + Upload.INDEX, listed) > 0) rest.add(name);
    return rest;
  }

  private static String common(String a, String b) {
    var n = 0;
    while (n < Math.min(a.length(), b.length()) && a.charAt(n) == b.charAt(n)) n++;
    if (n > 0 && Character.isHighSurrogate(a.charAt(n - 1))) n--;
    return a.substring(0, n);
  }

  /**
   * Where the last character begins: what comes before it is less than the whole, and nothing of it
   * is lost.
   */
  private static int before(String name) {
    return name.offsetByCodePoints(name.length(), -1);
  }

  /** The order of names as UTF-8 bytes, which is the order of their code points. */
  private static int compare(String a, String b) {
    for (int i = 0, n = Math.min(a.length(), b.length()); i < n; i++) {
      if (a.charAt(i) != b.charAt(i)) {
        var high = Character.isSurrogate(a.charAt(i)) == Character.isSurrogate(b.charAt(i));
        return high
            ? Character.compare(a.charAt(i), b.charAt(i))
            : Character.isSurrogate(a.charAt(i)) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
