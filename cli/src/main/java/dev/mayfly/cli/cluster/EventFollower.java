package dev.mayfly.cli.cluster;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.EventRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows events as they happen, each once, oldest first. Waits for an unavailable control plane for
 * some minutes, and shows then what happened meanwhile.
 */
final class EventFollower {
  static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Events of one poll; if all of them are new, the most are asked for. */
  private static final int PAGE = 50;

  private static final int MOST = 500;

  private final ApiClient apiClient;
  private final ConditionPoller conditionPoller;
  private final String cluster;
  private final Optional<String> about;
  private final Consumer<String> notes;

  /** The ids of shown events, oldest first: events may be stored a little out of order. */
  private final Set<String> shown = new LinkedHashSet<>();

  private @Nullable Instant unavailableSince;

  EventFollower(
      ApiClient apiClient,
      ConditionPoller conditionPoller,
      String cluster,
      Optional<String> about,
      Consumer<String> notes) {
    this.apiClient = apiClient;
    this.conditionPoller = conditionPoller;
    this.cluster = cluster;
    this.about = about;
    this.notes = notes;
  }

  /** The newest events. None that is there is shown later: a poll lists older ones too. */
  List<EventRecord> newest(int limit) {
    var all = remembered(apiClient.events(cluster, about, Math.max(limit, PAGE)));
    return all.subList(Math.max(0, all.size() - limit), all.size());
  }

  /**
   * The events after the one with that id, or all that are there if it is not among the newest ones
   * that the control plane lists.
   */
  List<EventRecord> since(String id) {
    var all = apiClient.events(cluster, about, MOST);
    var at = all.stream().map(EventRecord::id).toList().indexOf(id);
    if (at < 0) notes.accept("event " + id + " is not among the newest; events may be missing");
    var known = at < 0 ? List.<EventRecord>of() : all.subList(at, all.size());
    known.reversed().forEach(event -> shown.add(event.id()));
    return remembered(all);
  }

  /** Shows events until the command is ended. */
  void follow(Consumer<EventRecord> show) {
    while (true) {
      conditionPoller.sleeper().sleep(EVERY);
      poll().forEach(show);
    }
  }

  private List<EventRecord> poll() {
    try {
      var page = apiClient.events(cluster, about, PAGE);
      if (page.size() == PAGE && page.stream().noneMatch(e -> shown.contains(e.id()))) {
        page = apiClient.events(cluster, about, MOST);
        if (page.size() == MOST && page.stream().noneMatch(e -> shown.contains(e.id())))
          notes.accept(
              "more than %,d events happened at once; older ones are left out".formatted(MOST));
      }
      if (unavailableSince != null) notes.accept("the control plane is back");
      unavailableSince = null;
      return remembered(page);
    } catch (UnavailableException away) {
      var now = conditionPoller.clock().instant();
      if (unavailableSince == null) {
        unavailableSince = now;
        notes.accept(away.getMessage() + " (waiting for the control plane)");
      }
      if (now.isAfter(unavailableSince.plus(PATIENCE))) throw away;
      return List.of();
    }
  }

  private List<EventRecord> remembered(List<EventRecord> page) {
    var fresh = new ArrayList<EventRecord>();
    for (var event : page.reversed()) if (shown.add(event.id())) fresh.add(event);
    // A page is smaller: what is forgotten is on no page any more.
    while (shown.size() > 3 * MOST) shown.remove(shown.iterator().next());
    return fresh;
  }
}
