package dev.mayfly.cli.document;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.clusters.SlicePools;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.text.GitReference;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks files together: first each document by itself, then slices and jobs against the clusters
 * that are there too.
 */
final class DocumentCheck {
  private static final String INVALID = "has errors";

  /** A document, and the file that it is in. */
  private record Located(String file, ParsedDocument document) {}

  private final Map<String, String> variables;
  private final List<Located> located = new ArrayList<>();
  private final Map<String, ClusterSpec> clusters = new LinkedHashMap<>();
  private final Map<String, String> clusterPlaces = new LinkedHashMap<>();
  private final List<Validation.Document> documents = new ArrayList<>();
  private final List<InputError> errors = new ArrayList<>();
  private final Set<Located> faulty = new HashSet<>();
  private final List<InputError> warnings = new ArrayList<>();

  /** The names of variables that the files have. */
  private final Set<String> known = new TreeSet<>();

  private boolean unread;

  private DocumentCheck(Map<String, String> variables) {
    this.variables = variables;
  }

  /**
   * Checks all documents of the files. A file that cannot be read is an error like others.
   *
   * @param variables override those of the files
   */
  static Validation of(List<String> files, Map<String, String> variables) {
    var check = new DocumentCheck(variables);
    files.forEach(check::read);
    if (!check.unread)
      check.errors.addAll(
          DocumentFile.unknown(variables.keySet(), check.known, String.join(", ", files)));
    check.located.forEach(check::addCluster);
    check.located.forEach(check::addSlice);
    check.located.forEach(check::conclude);
    return new Validation(check.documents, check.errors, check.warnings);
  }

  private void read(String file) {
    try {
      var text = DocumentFile.bytes(file);
      var label = DocumentFile.label(file);
      known.addAll(UserDocuments.variables(text, label));
      var checked = UserDocuments.check(text, label, variables);
      errors.addAll(checked.problems());
      checked.documents().forEach(document -> located.add(new Located(file, document)));
    } catch (InvalidInputException noSyntax) {
      errors.addAll(noSyntax.problems());
      unread = true;
    } catch (CommandException unreadable) {
      errors.add(new InputError("", String.valueOf(unreadable.getMessage())));
      unread = true;
    }
  }

  private void addCluster(Located each) {
    if (!(each.document().command() instanceof UserCommand.ApplyCluster apply)) return;
    var name = apply.spec().name();
    var first = clusterPlaces.putIfAbsent(name, each.document().place());
    if (first == null) clusters.put(name, apply.spec());
    else
      error(
          each,
          "name",
          "cluster '%s' is there twice, first at %s; rename or remove one".formatted(name, first));
  }

  private void addSlice(Located each) {
    if (!(each.document().command() instanceof UserCommand.CreateSlice create)) return;
    try {
      clusters.computeIfPresent(create.cluster(), (name, spec) -> SlicePools.with(spec, create));
    } catch (InvalidInputException no) {
      no.problems().forEach(p -> error(each, p.path(), p.message()));
    }
  }

  private void error(Located where, String path, String message) {
    faulty.add(where);
    errors.add(new InputError(where.document().at().of(path), message));
  }

  private void warn(Located where, String path, String message) {
    warnings.add(new InputError(where.document().at().of(path), message));
  }

  private void conclude(Located each) {
    var document = each.document();
    var result =
        switch (document.command()) {
          case UserCommand.ApplyCluster apply -> cluster(each, apply.spec());
          case UserCommand.SubmitJob _ -> job(each);
          case UserCommand other -> command(each, other);
        };
    var valid = !faulty.contains(each);
    documents.add(
        new Validation.Document(
            document.place(), document.kind(), document.name(), valid, valid ? result : INVALID));
  }

  private String cluster(Located each, ClusterSpec spec) {
    ClusterWarnings.of(spec).forEach(w -> warn(each, w.path(), w.message()));
    var workers = spec.pools().stream().mapToInt(PoolSpec::max).sum();
    return "%s, at most %s"
        .formatted(
            HumanFormat.count(spec.pools().size(), "pool"), HumanFormat.count(workers, "worker"));
  }

  private String job(Located each) {
    var spec = JobSubmitter.spec(each.document());
    var code = spec.run().code().filter(c -> !c.contains("://") && !GitReference.isMeant(c));
    var folder = code.map(c -> DocumentFile.folder(each.file()).resolve(c).normalize());
    if (folder.filter(f -> !Files.isDirectory(f)).isPresent())
      error(
          each,
          "code",
          "'%s' is not a folder; write a path relative to the job's file".formatted(folder.get()));
    checkItems(each, spec);
    var cluster = clusters.get(spec.cluster());
    (cluster == null ? JobWarnings.of(spec) : JobWarnings.of(spec, cluster))
        .forEach(w -> warn(each, w.path(), w.message()));
    UnsentFiles.of(spec, DocumentFile.folder(each.file()))
        .ifPresent(w -> warn(each, w.path(), w.message()));
    if (cluster == null) return unknownCluster(each, spec.cluster());
    try {
      JobSubmitter.check(each.document(), cluster);
    } catch (InvalidInputException no) {
      faulty.add(each);
      errors.addAll(no.problems());
      return INVALID;
    }
    return cluster.pools().stream()
        .filter(pool -> Feasibility.mayRun(spec, pool))
        .map(pool -> slots(pool, pool.visible().slots(spec.resources())))
        .collect(Collectors.joining("; "));
  }

  /** The file of a job's items, unless it is an object. */
  private void checkItems(Located each, JobSpec spec) {
    if (!(spec.tasks() instanceof TaskSource.ItemsFile file) || file.file().contains("://")) return;
    try {
      var items = LocalItems.read(each.document(), file.file(), DocumentFile.folder(each.file()));
      var _ = LocalItems.in(each.document(), "gs://bucket/items.jsonl", items.names());
    } catch (InvalidInputException no) {
      faulty.add(each);
      errors.addAll(no.problems());
    }
  }

  private static String slots(PoolSpec pool, long each) {
    return "pool %s: %s at once on each %s"
        .formatted(
            pool.name(),
            each == Long.MAX_VALUE ? "any number of tasks" : HumanFormat.count(each, "task"),
            pool.machineType());
  }

  /** A slice or another command names a cluster that may be up already. */
  private String command(Located each, UserCommand command) {
    if (command instanceof UserCommand.CreateSlice create
        && !clusters.containsKey(create.cluster())) return unknownCluster(each, create.cluster());
    return "can be published";
  }

  private String unknownCluster(Located each, String cluster) {
    warn(
        each,
        "cluster",
        "'%s' is in none of these files, so its machines are not checked; name the cluster's file too"
            .formatted(cluster));
    return "machines are not checked";
  }
}
