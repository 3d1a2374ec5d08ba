package dev.mayfly.cli.simulate;

import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.sim.expectation.Bound;
import dev.mayfly.sim.expectation.Expectation;
import dev.mayfly.sim.expectation.Expectation.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads what a scenario expects. */
final class ExpectationReader {
  /** What an entry is about, and when. */
  private static final Set<String> ABOUT = Set.of("job", "pool", "zone", "at", "until");

  private static final Set<String> OF_JOB =
      new TreeSet<>(
          List.of(
              "done",
              "endsAfter",
              "endsWithin",
              "failed",
              "lost",
              "neverWaits",
              "oneZone",
              "pools",
              "running",
              "says",
              "startsAfter",
              "startsWithin",
              "state",
              "waits",
              "zones"));
  private static final Set<String> OF_MACHINES =
      new TreeSet<>(List.of("hours", "launched", "left", "machines", "preempted", "refusals"));
  private static final Set<String> OF_ALL =
      new TreeSet<>(List.of("ends", "refused", "starts", "usd", "waste"));
  static final Set<String> FIELDS = all();
  static final Set<String> BOUND_FIELDS = new TreeSet<>(List.of("least", "most"));

  private final Map<String, String> jobs;
  private final Set<String> pools;
  private final Set<String> zones;

  /**
   * @param jobs the addresses of jobs, by what the scenario may call them
   * @param pools all that the cluster ever has
   * @param zones of these
   */
  ExpectationReader(Map<String, String> jobs, Set<String> pools, Set<String> zones) {
    this.jobs = new TreeMap<>(jobs);
    this.pools = pools;
    this.zones = zones;
  }

  private static Set<String> all() {
    var all = new TreeSet<String>(ABOUT);
    Stream.of(OF_JOB, OF_MACHINES, OF_ALL).forEach(all::addAll);
    return all;
  }

  List<Expectation> read(ScenarioFields entry) {
    var found = new ArrayList<Expectation>();
    entry.text("job").map(it -> job(entry, "job", it)).ifPresent(job -> ofJob(entry, job, found));
    var place =
        new Subject.Place(
            entry.text("pool").map(it -> known(entry, "pool", it, pools)),
            entry.text("zone").map(it -> known(entry, "zone", it, zones)));
    if (!entry.has("job")) machines(entry, place, found);
    ofAll(entry, found);
    refuse(entry, !entry.has("job"), OF_JOB, "is about a job; name it with job");
    refuse(entry, entry.has("job"), OF_MACHINES, "is about machines; leave job out");
    refuse(
        entry,
        entry.has("at") && !entry.has("running") && !entry.has("machines"),
        Set.of("at"),
        "is for running and machines");
    refuse(entry, entry.has("until") && !entry.has("at"), Set.of("until"), "needs at before it");
    if (!says(entry))
      entry.add(
          "expect",
          "has an entry that expects nothing; write one of "
              + String.join(", ", FIELDS.stream().filter(it -> !ABOUT.contains(it)).toList()));
    return found;
  }

  private static boolean says(ScenarioFields entry) {
    return FIELDS.stream().anyMatch(it -> !ABOUT.contains(it) && entry.has(it));
  }

  private static void refuse(ScenarioFields entry, boolean wrong, Set<String> fields, String why) {
    if (wrong) fields.stream().filter(entry::has).forEach(field -> entry.add(field, why));
  }

  private String job(ScenarioFields entry, String field, String name) {
    return jobs.getOrDefault(name, known(entry, field, name, jobs.keySet()));
  }

  private static String known(ScenarioFields entry, String field, String name, Set<String> names) {
    if (!names.contains(name))
      entry.add(
          field,
          "'%s' is not there; there is %s%s"
              .formatted(name, String.join(", ", names), SpellingSuggestion.hint(name, names)));
    return name;
  }

  private void ofJob(ScenarioFields entry, String job, List<Expectation> into) {
    times(entry, "starts").ifPresent(it -> into.add(new Expectation.Starts(job, it)));
    times(entry, "ends").ifPresent(it -> into.add(new Expectation.Ends(job, it)));
    each(entry, "state", it -> new Expectation.State(job, it), into);
    each(entry, "says", it -> new Expectation.Says(job, it), into);
    each(entry, "waits", it -> new Expectation.Waits(job, it, false), into);
    each(entry, "neverWaits", it -> new Expectation.Waits(job, it, true), into);
    for (var counted : Expectation.TaskCount.values())
      bound(entry, word(counted))
          .ifPresent(it -> into.add(new Expectation.Tasks(job, counted, it)));
    bound(entry, "running")
        .ifPresent(it -> into.add(new Expectation.AtOnce(new Subject.Job(job), span(entry), it)));
    if (entry.has("pools")) into.add(new Expectation.Ran(job, true, names(entry, "pools", pools)));
    if (entry.has("zones")) into.add(new Expectation.Ran(job, false, names(entry, "zones", zones)));
    if (entry.text("oneZone").filter("true"::equals).isPresent())
      into.add(new Expectation.OneZone(job));
    else if (entry.has("oneZone")) entry.add("oneZone", "is not true; write true or leave it out");
  }

  private static List<String> names(ScenarioFields entry, String field, Set<String> known) {
    return entry.list(field).stream().map(it -> known(entry, field, it, known)).toList();
  }

  private static void each(
      ScenarioFields entry,
      String field,
      Function<String, Expectation> expectation,
      List<Expectation> into) {
    entry.list(field).forEach(text -> into.add(expectation.apply(text)));
  }

  /** How many seconds, of {@code startsWithin} and {@code startsAfter} together. */
  private static Optional<Bound> times(ScenarioFields entry, String what) {
    var least = entry.duration(what + "After").map(ExpectationReader::seconds);
    var most = entry.duration(what + "Within").map(ExpectationReader::seconds);
    return least.isEmpty() && most.isEmpty()
        ? Optional.empty()
        : Optional.of(new Bound(least, most));
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }

  private static void machines(ScenarioFields entry, Subject.Place place, List<Expectation> into) {
    bound(entry, "machines")
        .ifPresent(it -> into.add(new Expectation.AtOnce(place, span(entry), it)));
    for (var counted : Expectation.MachineCount.values()) {
      var field = counted == Expectation.MachineCount.REFUSED ? "refusals" : word(counted);
      bound(entry, field).ifPresent(it -> into.add(new Expectation.Machines(place, counted, it)));
    }
  }

  private void ofAll(ScenarioFields entry, List<Expectation> into) {
    bound(entry, "usd").ifPresent(it -> into.add(new Expectation.Cost(it)));
    bound(entry, "waste").ifPresent(it -> into.add(new Expectation.Waste(it)));
    each(entry, "refused", Expectation.Refused::new, into);
    order(entry, "starts", false, into);
    order(entry, "ends", true, into);
  }

  private void order(ScenarioFields entry, String field, boolean ends, List<Expectation> into) {
    if (!entry.has(field)) return;
    var names = entry.list(field).stream().map(it -> job(entry, field, it)).toList();
    if (names.size() < 2) entry.add(field, "has fewer than two jobs; write [first, second]");
    into.add(new Expectation.Order(names, ends));
  }

  private static Expectation.Span span(ScenarioFields entry) {
    return new Expectation.Span(entry.duration("at"), entry.duration("until"));
  }

  private static String word(Enum<?> counted) {
    return counted.name().toLowerCase(Locale.ROOT);
  }

  private static Optional<Bound> bound(ScenarioFields entry, String field) {
    return entry.bound(field, BOUND_FIELDS);
  }
}
