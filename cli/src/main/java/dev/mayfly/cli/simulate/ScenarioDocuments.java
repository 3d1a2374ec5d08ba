package dev.mayfly.cli.simulate;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The clusters, jobs and commands of a scenario: in files beside it, or written in it. */
final class ScenarioDocuments {
  private final String label;
  private final Path folder;
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final List<InputError> errors;
  private final Set<String> known = new TreeSet<>();
  private boolean unread;

  /**
   * @param file of the scenario
   * @param variables of the command line, which override others
   */
  ScenarioDocuments(String file, Map<String, String> variables, List<InputError> errors) {
    label = DocumentFile.label(file);
    folder = DocumentFile.folder(file);
    this.variables.putAll(variables);
    this.errors = errors;
  }

  /** The names of variables that a text has, which may then be set. */
  void know(byte[] text, String file) {
    known.addAll(UserDocuments.variables(text, file));
  }

  /** Refuses variables of the command line that nothing has, unless a file could not be read. */
  void check(Set<String> given) {
    if (!unread) errors.addAll(DocumentFile.unknown(given, known, label));
  }

  Path folder() {
    return folder;
  }

  /** Adds the scenario's own variables. */
  void variables(Map<String, String> own) {
    own.forEach(variables::putIfAbsent);
  }

  /** The cluster; of several in its file, the one that the first job names. */
  Optional<ClusterSpec> cluster(ScenarioFields fields, List<ScenarioFields> jobs) {
    var written = fields.mapping("cluster");
    if (written.isPresent())
      return read("Cluster", InlineDocument.cluster(written.get()), variables)
          .map(ScenarioDocuments::spec);
    var name = fields.required("cluster", "the file of a cluster, or a cluster");
    if (name.isEmpty()) return Optional.empty();
    var all =
        documents(fields, "cluster", name, "Cluster", variables).stream()
            .map(ScenarioDocuments::spec)
            .toList();
    if (all.size() < 2) return all.stream().findFirst();
    var wanted =
        jobs.stream()
            .limit(1)
            .flatMap(entry -> job(entry, "", 1).stream())
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

  private static ClusterSpec spec(ParsedDocument document) {
    return ((UserCommand.ApplyCluster) document.command()).spec();
  }

  /**
   * The only job of an entry, with the entry's variables.
   *
   * @param cluster of a job that is written in the scenario and names none
   * @param tasks how many such a job has that does not say so
   */
  Optional<ParsedDocument> job(ScenarioFields entry, String cluster, long tasks) {
    var values = new LinkedHashMap<>(variables);
    values.putAll(entry.texts("variables"));
    var written = entry.mapping("job");
    if (written.isPresent())
      return read("Job", InlineDocument.job(written.get(), cluster, tasks), values);
    var name = entry.text("job").orElse("");
    if (name.isEmpty()) return Optional.empty();
    var all = documents(entry, "job", name, "Job", values);
    if (all.size() > 1)
      entry.add(
          "job", "names %s, which has %d jobs; name a file with one".formatted(name, all.size()));
    return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
  }

  /** What an entry publishes. */
  Optional<UserCommand> command(ScenarioFields entry, String cluster) {
    var written = entry.mapping("publish");
    if (written.isEmpty())
      entry.add("publish", "is no object; write a cluster, or {kind: StopJob, …}");
    return written.flatMap(it ->
        read(() -> UserDocuments.parse(InlineDocument.command(it, cluster), label, variables))
            .stream()
            .map(ParsedDocument::command)
            .findFirst());
  }

  private Optional<ParsedDocument> read(
      String kind, SyntaxNode.Mapping document, Map<String, String> values) {
    return read(() -> UserDocuments.parse(document, label, values)).stream()
        .filter(it -> it.kind().equals(kind))
        .findFirst();
  }

  private List<ParsedDocument> read(Supplier<List<ParsedDocument>> documents) {
    try {
      return documents.get();
    } catch (InvalidInputException no) {
      for (var problem : no.problems()) if (!errors.contains(problem)) errors.add(problem);
      return List.of();
    }
  }

  /** The documents of that kind in a file beside the scenario; none after an error. */
  private List<ParsedDocument> documents(
      ScenarioFields fields, String field, String name, String kind, Map<String, String> values) {
    try {
      var path = folder.resolve(name).normalize();
      var file = path.startsWith(folder) ? folder.relativize(path).toString() : path.toString();
      var bytes = DocumentFile.bytes(path.toString());
      know(bytes, file);
      var before = errors.size();
      var all =
          read(() -> UserDocuments.parse(bytes, file, values)).stream()
              .filter(it -> it.kind().equals(kind))
              .toList();
      if (all.isEmpty() && errors.size() == before)
        fields.add(field, "names %s, which has no %s".formatted(file, kind));
      return all;
    } catch (CommandException unreadable) {
      fields.add(field, String.valueOf(unreadable.getMessage()));
      unread = true;
    }
    return List.of();
  }
}
