package dev.mayfly.cli.simulate;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.document.LocalItems;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.expectation.Expectation;
import dev.mayfly.sim.experiment.ArrivingJob;
import dev.mayfly.sim.experiment.Experiment;
import dev.mayfly.sim.scenario.TaskModel;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads a scenario and the files that it names, and reports all that is wrong at once. {@code
 * scenario.schema.json} says the same for editors.
 */
final class ScenarioReader {
  static final Set<String> FIELDS =
      new TreeSet<>(
          List.of(
              "apiVersion",
              "cluster",
              "commands",
              "expect",
              "from",
              "jobs",
              "kind",
              "quotas",
              "title",
              "until",
              "variables",
              "zones"));
  static final Set<String> JOB_FIELDS =
      new TreeSet<>(
          List.of(
              "at",
              "checkpoints",
              "copies",
              "every",
              "fails",
              "job",
              "takes",
              "tasks",
              "variables"));

  /** The longest virtual time, unless the file says another. */
  static final Duration UNTIL = Duration.ofDays(7);

  private static final long MOST_TASKS = 10_000_000;
  private static final long MOST_JOBS = 1_000;

  /**
   * What a file says.
   *
   * @param notes what a simulation leaves out of it, a sentence each
   * @param from where it comes from; empty if it does not say so
   * @param expectations what it expects
   */
  record Scenario(
      Experiment experiment, List<String> notes, String from, List<Expectation> expectations) {}

  private final List<InputError> errors = new ArrayList<>();
  private final ScenarioDocuments documents;
  private final List<String> notes = new ArrayList<>();
  private final RecordedDurations recorded;
  private boolean expects;

  private ScenarioReader(String file, Map<String, String> variables) {
    documents = new ScenarioDocuments(file, variables, errors);
    recorded = new RecordedDurations(documents.folder(), notes);
  }

  /**
   * Reads the file. Throws {@link InvalidInputException} with all errors.
   *
   * @param variables of the cluster's and the jobs' files, which override those of the scenario
   */
  static Scenario read(String file, Map<String, String> variables) {
    var reader = new ScenarioReader(file, variables);
    var label = DocumentFile.label(file);
    var text = DocumentFile.bytes(file);
    var nodes = DocumentParser.documents(text, label);
    if (nodes.size() != 1 || !(nodes.getFirst() instanceof SyntaxNode.Mapping fields))
      throw new InvalidInputException(
          label, "is not a scenario; write one object with kind: Scenario, cluster and jobs");
    reader.documents.know(text, label);
    var scenario = reader.scenario(ScenarioFields.of(label, "", fields, FIELDS, reader.errors));
    reader.documents.check(variables.keySet());
    if (scenario.isEmpty() || !reader.errors.isEmpty())
      throw new InvalidInputException(reader.errors);
    return scenario.get();
  }

  private Optional<Scenario> scenario(ScenarioFields fields) {
    fixed(fields, "apiVersion", "mayfly.dev/v1");
    fixed(fields, "kind", "Scenario");
    expects = fields.has("expect");
    documents.variables(fields.texts("variables"));
    var entries = fields.objects("jobs", JOB_FIELDS);
    var cluster = documents.cluster(fields, entries);
    var until = fields.duration("until").orElse(UNTIL);
    if (!fields.has("jobs")) fields.add("jobs", "is missing; write a list with - job: job.yaml");
    if (cluster.isEmpty()) return Optional.empty();
    var spec = cluster.get();
    var jobs = entries.stream().flatMap(entry -> jobs(entry, spec).stream()).toList();
    var world = new WorldReader(documents, spec, recorded);
    var conditions = world.conditions(fields);
    check(fields, jobs);
    var order = new ScenarioChecks(fields, jobs);
    order.predecessors(expects);
    notes.addAll(order.hopeless(spec));
    for (var pool : spec.pools())
      if (pool.provisioning() == Provisioning.STATIC)
        notes.add("pool " + pool.name() + " has machines of people's own, which are left out");
    var events = world.events(fields);
    // What is expected may be that it is refused.
    if (!expects) order.commands(events.commands());
    var experiment = Experiment.of(spec, jobs, conditions, until).with(events);
    return Optional.of(
        new Scenario(experiment, notes, from(fields), expectations(fields, experiment)));
  }

  /** Where it comes from, which a reader must know of what is expected. */
  private static String from(ScenarioFields fields) {
    if (fields.has("expect") && !fields.has("from"))
      fields.add("from", "is missing; write who expects it, and where they say so");
    return fields.text("from").orElse("");
  }

  private static List<Expectation> expectations(ScenarioFields fields, Experiment experiment) {
    var jobs = new TreeMap<String, String>();
    for (var job : experiment.jobs()) {
      jobs.put(job.spec().name(), job.spec().address());
      jobs.put(job.spec().address(), job.spec().address());
    }
    var clusters = experiment.clusters();
    var pools = new TreeSet<String>();
    clusters.forEach(it -> pools.addAll(WorldReader.pools(it)));
    for (var planned : experiment.events().commands())
      if (planned.command() instanceof UserCommand.CreateSlice slice) pools.add(slice.name());
    var reader = new ExpectationReader(jobs, pools, WorldReader.zones(clusters));
    return fields.objects("expect", ExpectationReader.FIELDS).stream()
        .flatMap(entry -> reader.read(entry).stream())
        .toList();
  }

  private static void fixed(ScenarioFields fields, String name, String value) {
    var written = fields.required(name, name + ": " + value);
    if (!written.isEmpty() && !written.equals(value))
      fields.add(name, "is '%s'; write %s".formatted(written, value));
  }

  private List<ArrivingJob> jobs(ScenarioFields entry, ClusterSpec cluster) {
    if (!entry.has("job")) entry.add("job", "is missing; write the file of a job, or a job");
    var at = entry.duration("at").orElse(Duration.ZERO);
    if (!entry.has("takes"))
      entry.add("takes", "is missing; write how long a task runs, such as takes: 20m");
    var takes = entry.taskDurations("takes", recorded);
    var fails = entry.part("fails").orElse(0.0);
    var checkpoints = entry.duration("checkpoints").filter(it -> !it.isZero());
    var copies = entry.integer("copies", 1, MOST_JOBS).orElse(1L);
    var every = entry.duration("every").orElse(Duration.ZERO);
    var tasks = entry.integer("tasks", 1, MOST_TASKS);
    var found = documents.job(entry, cluster.name(), tasks.orElse(1L));
    if (found.isEmpty()) return List.of();
    var document = found.get();
    var spec = JobSubmitter.spec(document);
    if (document.command() instanceof UserCommand.SubmitJob job && job.schedule().isPresent())
      notes.add(
          "the schedule of job %s is left out: the scenario's at, every and copies say when it is submitted"
              .formatted(spec.name()));
    var count = tasks.or(() -> count(entry, document, spec));
    if (!spec.cluster().equals(cluster.name()))
      entry.add(
          "job",
          "is for cluster '%s', and this scenario's is '%s'"
              .formatted(spec.cluster(), cluster.name()));
    // What is expected may be that it is refused.
    else if (!expects) check(document, cluster);
    if (takes.isEmpty() || count.isEmpty()) return List.of();
    var model = new TaskModel(takes.get(), fails, checkpoints);
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
      return Optional.of(
          (long) LocalItems.read(document, items.file(), documents.folder()).rows().size());
    } catch (InvalidInputException no) {
      errors.addAll(no.problems());
      return Optional.empty();
    }
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
  }
}
