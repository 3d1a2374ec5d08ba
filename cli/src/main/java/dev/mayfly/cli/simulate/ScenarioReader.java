package dev.mayfly.cli.simulate;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.document.LocalItems;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.sim.experiment.ArrivingJob;
import dev.mayfly.sim.experiment.Experiment;
import dev.mayfly.sim.experiment.ZoneConditions;
import dev.mayfly.sim.scenario.TaskModel;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads a scenario and the files that it names, and reports all that is wrong at once. {@code
 * scenario.schema.json} says the same for editors.
 */
final class ScenarioReader {
  static final Set<String> FIELDS =
      new TreeSet<>(
          List.of("apiVersion", "cluster", "jobs", "kind", "until", "variables", "zones"));
  static final Set<String> JOB_FIELDS =
      new TreeSet<>(
          List.of("at", "copies", "every", "fails", "job", "takes", "tasks", "variables"));
  static final Set<String> ZONE_FIELDS =
      new TreeSet<>(List.of("boot", "machines", "pool", "preempted", "zone"));
  static final Set<String> STOCK_FIELDS = new TreeSet<>(List.of("at", "count"));

  /** The longest virtual time, unless the file says another. */
  static final Duration UNTIL = Duration.ofDays(7);

  private static final long MOST_TASKS = 10_000_000;
  private static final long MOST_JOBS = 1_000;
  private static final long MOST_MACHINES = 100_000;

  /**
   * What a file says.
   *
   * @param notes what a simulation leaves out of it, a sentence each
   */
  record Scenario(Experiment experiment, List<String> notes) {}

  private final Path folder;
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final List<InputError> errors = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private ScenarioReader(String file, Map<String, String> variables) {
    folder = DocumentFile.folder(file);
    this.variables.putAll(variables);
  }

  /**
   * Reads the file. Throws {@link InvalidInputException} with all errors.
   *
   * @param variables of the cluster's and the jobs' files, which override those of the scenario
   */
  static Scenario read(String file, Map<String, String> variables) {
    var reader = new ScenarioReader(file, variables);
    var label = DocumentFile.label(file);
    var documents = DocumentParser.documents(DocumentFile.bytes(file), label);
    if (documents.size() != 1 || !(documents.getFirst() instanceof SyntaxNode.Mapping fields))
      throw new InvalidInputException(
          label, "is not a scenario; write one object with kind: Scenario, cluster and jobs");
    var scenario = reader.scenario(ScenarioFields.of(label, "", fields, FIELDS, reader.errors));
    if (scenario.isEmpty() || !reader.errors.isEmpty())
      throw new InvalidInputException(reader.errors);
    return scenario.get();
  }

  private Optional<Scenario> scenario(ScenarioFields fields) {
    fixed(fields, "apiVersion", "mayfly.dev/v1");
    fixed(fields, "kind", "Scenario");
    fields.texts("variables").forEach(variables::putIfAbsent);
    var entries = fields.objects("jobs", JOB_FIELDS);
    var cluster = cluster(fields, entries);
    var until = fields.duration("until").orElse(UNTIL);
    if (!fields.has("jobs")) fields.add("jobs", "is missing; write a list with - job: job.yaml");
    if (cluster.isEmpty()) return Optional.empty();
    var spec = cluster.get();
    var jobs = entries.stream().flatMap(entry -> jobs(entry, spec).stream()).toList();
    var conditions =
        fields.objects("zones", ZONE_FIELDS).stream().map(zone -> conditions(zone, spec)).toList();
    check(fields, jobs);
    for (var pool : spec.pools())
      if (pool.provisioning() == Provisioning.STATIC)
        notes.add("pool " + pool.name() + " has machines of people's own, which are left out");
    return Optional.of(new Scenario(Experiment.of(spec, jobs, conditions, until), notes));
  }

  private static void fixed(ScenarioFields fields, String name, String value) {
    var written = fields.required(name, name + ": " + value);
    if (!written.isEmpty() && !written.equals(value))
      fields.add(name, "is '%s'; write %s".formatted(written, value));
  }

  /** The cluster; of several in its file, the one that the first job names. */
  private Optional<ClusterSpec> cluster(ScenarioFields fields, List<ScenarioFields> jobs) {
    var name = fields.required("cluster", "the file of a cluster");
    if (name.isEmpty()) return Optional.empty();
    var all =
        documents(fields, "cluster", name, "Cluster", variables).stream()
            .map(it -> ((UserCommand.ApplyCluster) it.command()).spec())
            .toList();
    if (all.size() < 2) return all.stream().findFirst();
    var wanted =
        jobs.stream()
            .limit(1)
            .flatMap(entry -> job(entry).stream())
            .map(it -> JobSubmitter.spec(it).cluster())
            .findFirst();
    var found = all.stream().filter(it -> wanted.filter(it.name()::equals).isPresent()).findFirst();
    if (found.isEmpty())
      fields.add(
          "cluster",
          "names %s, whose clusters are %s; the first job is for none of them"
              .formatted(name, String.join(", ", all.stream().map(ClusterSpec::name).toList())));
    return found;
  }

  /** The documents of that kind in a file beside the scenario; none after an error. */
  private List<ParsedDocument> documents(
      ScenarioFields fields, String field, String name, String kind, Map<String, String> values) {
    try {
      var path = folder.resolve(name).normalize();
      var label = path.startsWith(folder) ? folder.relativize(path).toString() : path.toString();
      var all =
          UserDocuments.parse(DocumentFile.bytes(path.toString()), label, values).stream()
              .filter(it -> it.kind().equals(kind))
              .toList();
      if (all.isEmpty()) fields.add(field, "names %s, which has no %s".formatted(label, kind));
      return all;
    } catch (CommandException unreadable) {
      fields.add(field, String.valueOf(unreadable.getMessage()));
    } catch (InvalidInputException no) {
      for (var problem : no.problems()) if (!errors.contains(problem)) errors.add(problem);
    }
    return List.of();
  }

  /** The only job of an entry's file, with the entry's variables. */
  private Optional<ParsedDocument> job(ScenarioFields entry) {
    var name = entry.text("job").orElse("");
    if (name.isEmpty()) return Optional.empty();
    var values = new LinkedHashMap<>(variables);
    values.putAll(entry.texts("variables"));
    var all = documents(entry, "job", name, "Job", values);
    if (all.size() > 1)
      entry.add(
          "job", "names %s, which has %d jobs; name a file with one".formatted(name, all.size()));
    return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
  }

  private List<ArrivingJob> jobs(ScenarioFields entry, ClusterSpec cluster) {
    var name = entry.required("job", "the file of a job");
    var at = entry.duration("at").orElse(Duration.ZERO);
    if (!entry.has("takes"))
      entry.add("takes", "is missing; write how long a task runs, such as takes: 20m");
    var takes = entry.durations("takes");
    var fails = entry.part("fails").orElse(0.0);
    var copies = entry.integer("copies", 1, MOST_JOBS).orElse(1L);
    var every = entry.duration("every").orElse(Duration.ZERO);
    var tasks = entry.integer("tasks", 1, MOST_TASKS);
    var found = name.isEmpty() ? Optional.<ParsedDocument>empty() : job(entry);
    if (found.isEmpty()) return List.of();
    var document = found.get();
    var spec = JobSubmitter.spec(document);
    var count = tasks.or(() -> count(entry, document, spec));
    if (!spec.cluster().equals(cluster.name()))
      entry.add(
          "job",
          "is for cluster '%s', and this scenario's is '%s'"
              .formatted(spec.cluster(), cluster.name()));
    else check(document, cluster);
    if (takes.isEmpty() || count.isEmpty()) return List.of();
    var model = new TaskModel(takes.get(), fails);
    var all = new ArrayList<ArrivingJob>();
    for (var i = 0; i < copies; i++)
      all.add(
          ArrivingJob.of(spec, copy(spec, i), count.get(), at.plus(every.multipliedBy(i)), model));
    return all;
  }

  private static String copy(JobSpec spec, int number) {
    return number == 0 ? spec.name() : spec.name() + "-" + (number + 1);
  }

  private void check(ParsedDocument document, ClusterSpec cluster) {
    try {
      JobSubmitter.check(document, cluster);
    } catch (InvalidInputException no) {
      errors.addAll(no.problems());
    }
  }

  private Optional<Long> count(ScenarioFields entry, ParsedDocument document, JobSpec spec) {
    return switch (spec.tasks()) {
      case TaskSource.Count count -> Optional.of(count.count());
      case TaskSource.Items items -> Optional.of((long) items.items().size());
      case TaskSource.Gather _ -> Optional.of(1L);
      case TaskSource.ItemsFile items -> lines(entry, document, items);
      case TaskSource.Listed _, TaskSource.Open _ -> {
        entry.add("tasks", "is missing: the job's tasks are known when it runs; write how many");
        yield Optional.empty();
      }
    };
  }

  private Optional<Long> lines(
      ScenarioFields entry, ParsedDocument document, TaskSource.ItemsFile items) {
    if (items.file().contains("://")) {
      entry.add("tasks", "is missing: the job's items are an object; write how many there are");
      return Optional.empty();
    }
    try {
      return Optional.of((long) LocalItems.read(document, items.file(), folder).rows().size());
    } catch (InvalidInputException no) {
      errors.addAll(no.problems());
      return Optional.empty();
    }
  }

  private ZoneConditions conditions(ScenarioFields zone, ClusterSpec cluster) {
    var pool = zone.text("pool");
    var pools = names(cluster, PoolSpec::name);
    pool.filter(it -> !pools.contains(it))
        .ifPresent(it -> zone.add("pool", unknown("pool", it, pools)));
    var place = zone.text("zone");
    var zones =
        cluster.pools().stream()
            .flatMap(it -> it.zones().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    place
        .filter(it -> !zones.contains(it))
        .ifPresent(it -> zone.add("zone", unknown("zone", it, zones)));
    return new ZoneConditions(
        pool, place, stock(zone), zone.part("preempted"), zone.durations("boot"));
  }

  private static Set<String> names(ClusterSpec cluster, Function<PoolSpec, String> name) {
    return cluster.pools().stream().map(name).collect(Collectors.toCollection(TreeSet::new));
  }

  private static String unknown(String what, String name, Set<String> known) {
    return "'%s' is no %s of the cluster; its %ss are %s%s"
        .formatted(
            name, what, what, String.join(", ", known), SpellingSuggestion.hint(name, known));
  }

  /** A number of machines, or how it changes. */
  private static List<ZoneConditions.Stock> stock(ScenarioFields zone) {
    if (!zone.has("machines")) return List.of();
    if (!(zone.node("machines") instanceof SyntaxNode.Sequence))
      return zone.integer("machines", 0, MOST_MACHINES).stream()
          .map(n -> new ZoneConditions.Stock(Duration.ZERO, n.intValue()))
          .toList();
    var all = new ArrayList<ZoneConditions.Stock>();
    for (var change : zone.objects("machines", STOCK_FIELDS)) {
      if (!change.has("count"))
        change.add("count", "is missing; write how many machines there are");
      change
          .integer("count", 0, MOST_MACHINES)
          .ifPresent(n ->
              all.add(
                  new ZoneConditions.Stock(
                      change.duration("at").orElse(Duration.ZERO), n.intValue())));
    }
    return all;
  }

  private static void check(ScenarioFields fields, List<ArrivingJob> jobs) {
    if (jobs.size() > MOST_JOBS)
      fields.add(
          "jobs", "are %d with their copies; write %d at most".formatted(jobs.size(), MOST_JOBS));
    var seen = new TreeSet<String>();
    for (var job : jobs)
      if (!seen.add(job.spec().address()))
        fields.add(
            "jobs",
            "has job '%s' twice; write copies: 2, or give one another name"
                .formatted(job.spec().address()));
    for (var job : jobs)
      for (var before : job.spec().admission().after())
        if (jobs.stream().noneMatch(it -> it.spec().name().equals(before.job())))
          fields.add(
              "jobs",
              "has '%s', which waits for job '%s'; add that job"
                  .formatted(job.spec().address(), before.job()));
  }
}
