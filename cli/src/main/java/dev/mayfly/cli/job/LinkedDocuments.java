package dev.mayfly.cli.job;

import static java.util.Objects.requireNonNull;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.PredecessorCycle;
import dev.mayfly.wire.ParsedDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The jobs of one file, of which some start after others: each comes after its predecessors, and
 * the name of a predecessor in the file means exactly that job.
 *
 * @param documents in the order in which they are to be published
 */
record LinkedDocuments(List<ParsedDocument> documents) {
  /**
   * Throws {@link InvalidInputException} if jobs wait for one another.
   *
   * @param ids generates submission ids, for jobs whose document has none
   */
  static LinkedDocuments of(List<ParsedDocument> written, Supplier<String> ids) {
    if (written.stream().allMatch(d -> after(d).isEmpty())) return new LinkedDocuments(written);
    var byKey = new LinkedHashMap<String, ParsedDocument>();
    for (var document : written)
      if (byKey.put(key(document), withSubmission(document, ids)) != null)
        throw new InvalidInputException(
            document.at().of("name"), "is that of two jobs of one owner; rename one");
    var edges = new LinkedHashMap<String, List<String>>();
    byKey.forEach((key, document) ->
        edges.put(key, after(document).stream().map(p -> key(document, p)).toList()));
    PredecessorCycle.find(edges)
        .ifPresent(cycle -> {
          throw cyclic(cycle.stream().map(key -> requireNonNull(byKey.get(key))).toList());
        });
    var sorted = new LinkedHashSet<String>();
    edges.keySet().forEach(key -> visit(key, edges, sorted));
    return new LinkedDocuments(
        sorted.stream().map(key -> exact(requireNonNull(byKey.get(key)), byKey)).toList());
  }

  private static List<Predecessor> after(ParsedDocument document) {
    return JobSubmitter.spec(document).admission().after();
  }

  /** Names are unique in a file for each cluster and owner. */
  private static String key(ParsedDocument document) {
    var spec = JobSubmitter.spec(document);
    return spec.cluster() + "/" + spec.address();
  }

  private static String key(ParsedDocument document, Predecessor predecessor) {
    var spec = JobSubmitter.spec(document);
    return spec.cluster() + "/" + predecessor.address(spec.owner());
  }

  private static ParsedDocument withSubmission(ParsedDocument document, Supplier<String> ids) {
    return ((UserCommand.SubmitJob) document.command()).submission().isPresent()
        ? document
        : document.with("submission", ids.get());
  }

  private static InvalidInputException cyclic(List<ParsedDocument> cycle) {
    var names = new ArrayList<>(cycle.stream().map(ParsedDocument::name).toList());
    names.add(names.getFirst());
    return new InvalidInputException(
        cycle.getFirst().at().of("after"),
        "these jobs wait for one another: "
            + String.join(" after ", names)
            + "; remove one of them");
  }

  private static void visit(String key, Map<String, List<String>> edges, Set<String> sorted) {
    if (!edges.containsKey(key) || sorted.contains(key)) return;
    edges.getOrDefault(key, List.of()).forEach(before -> visit(before, edges, sorted));
    sorted.add(key);
  }

  private static ParsedDocument exact(ParsedDocument document, Map<String, ParsedDocument> byKey) {
    var submissions = new LinkedHashMap<String, String>();
    for (var predecessor : after(document)) {
      var found = byKey.get(key(document, predecessor));
      if (found != null)
        ((UserCommand.SubmitJob) found.command())
            .submission()
            .ifPresent(id -> submissions.put(predecessor.job(), id));
    }
    return document.withPredecessors(submissions);
  }

  /** A problem for each predecessor that is neither in the file nor known to its cluster. */
  List<InputError> unknown(ApiClient api) {
    var names = new LinkedHashSet<String>();
    documents.forEach(d -> names.add(key(d)));
    var problems = new ArrayList<InputError>();
    for (var document : documents)
      for (var predecessor : after(document)) {
        var cluster = JobSubmitter.spec(document).cluster();
        var owner = JobSubmitter.spec(document).owner();
        var job = predecessor.uid().orElseGet(() -> predecessor.address(owner));
        if (names.contains(key(document, predecessor)) || api.findJob(cluster, job).isPresent())
          continue;
        problems.add(
            new InputError(
                document.at().of("after"),
                "neither the file nor cluster %s has a job %s; submit it first, or let mayfly submit --force wait some minutes for it"
                    .formatted(cluster, predecessor.job())));
      }
    return problems;
  }

  /**
   * Throws {@link InvalidInputException} if a predecessor of the job was not accepted.
   *
   * @param missing addresses of jobs of the file that were not accepted
   */
  void checkAccepted(ParsedDocument document, Set<String> missing) {
    JobSpec spec = JobSubmitter.spec(document);
    for (var predecessor : spec.admission().after())
      if (missing.contains(predecessor.address(spec.owner())))
        throw new InvalidInputException(
            document.at().of("after"),
            "job %s is not submitted, because job %s was not accepted"
                .formatted(spec.name(), predecessor.job()));
  }
}
