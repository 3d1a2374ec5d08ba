package dev.mayfly.wire;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.DocumentPlace;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One validated user document.
 *
 * @param name the name of the document's subject: a Cluster's or Job's own name, the {@code job} of
 *     a StopJob
 * @param json the document with defaults and variables applied, ready to publish
 * @param command the command; a Job's code may be a folder until {@link #with} sets a URL
 * @param at the positions of the document and its fields
 */
public record ParsedDocument(
    String kind, String name, String json, UserCommand command, DocumentPlace at) {
  /** The document's position, for example {@code job.yaml:12}; may be empty. */
  public String place() {
    return at.start();
  }

  /**
   * A copy with a top-level field set: {@code code}, {@code owner} or {@code submission}. Throws
   * {@link InvalidInputException} for an invalid value.
   */
  public ParsedDocument with(String field, String value) {
    return changed(table().with(field, new SyntaxNode.Text(value, 1)));
  }

  /** A copy of a Job whose tasks all run, whatever earlier jobs did: {@code tasks.done: [job]}. */
  public ParsedDocument runningAgain() {
    var rule = new SyntaxNode.Sequence(List.of(new SyntaxNode.Text("job", 1)), 1);
    var document = table();
    return document.get("tasks").orElse(null) instanceof SyntaxNode.Mapping tasks
        ? changed(document.with("tasks", tasks.with("done", rule)))
        : this;
  }

  /** A copy of a Job of which these tasks run, whatever earlier jobs did: {@code tasks.again}. */
  public ParsedDocument runningAgain(TaskRanges again) {
    var ranges =
        again.ranges().stream()
            .<SyntaxNode>map(range -> new SyntaxNode.Text(range.toString(), 1))
            .toList();
    var document = table();
    return document.get("tasks").orElse(null) instanceof SyntaxNode.Mapping tasks
        ? changed(document.with("tasks", tasks.with("again", new SyntaxNode.Sequence(ranges, 1))))
        : this;
  }

  /** A copy of a Job whose items are in that file, with a value for each of these names. */
  public ParsedDocument withItems(String file, List<String> names) {
    var known = names.stream().<SyntaxNode>map(name -> new SyntaxNode.Text(name, 1)).toList();
    var fields = new LinkedHashMap<String, SyntaxNode>();
    fields.put("file", new SyntaxNode.Text(file, 1));
    fields.put("names", new SyntaxNode.Sequence(known, 1));
    var document = table();
    return document.get("tasks").orElse(null) instanceof SyntaxNode.Mapping tasks
        ? changed(document.with("tasks", tasks.with("items", new SyntaxNode.Mapping(fields, 1))))
        : this;
  }

  /** A copy that is confirmed, however large it is: {@code confirm: true}. */
  public ParsedDocument confirmed() {
    return changed(table().with("confirm", new SyntaxNode.Literal(true, "true", 1)));
  }

  /** A copy with texts appended to a top-level list: {@code command}. */
  public ParsedDocument withAppended(String field, List<String> values) {
    var items = new ArrayList<SyntaxNode>();
    if (table().get(field).orElse(null) instanceof SyntaxNode.Sequence sequence)
      items.addAll(sequence.items());
    values.forEach(value -> items.add(new SyntaxNode.Text(value, 1)));
    return changed(table().with(field, new SyntaxNode.Sequence(items, 1)));
  }

  /**
   * A copy of a Job whose predecessors with these names are the jobs with these submissions, unless
   * the document says otherwise.
   */
  public ParsedDocument withPredecessors(Map<String, String> submissions) {
    var after =
        table().get("after").orElse(null) instanceof SyntaxNode.Sequence it
            ? it.items()
            : List.<SyntaxNode>of();
    var exact = new ArrayList<>(after.stream().map(item -> exact(item, submissions)).toList());
    implied()
        .filter(job -> after.stream().noneMatch(item -> names(item, job)))
        .filter(submissions::containsKey)
        .ifPresent(job -> exact.add(exact(new SyntaxNode.Text(job, 1), submissions)));
    if (exact.isEmpty()) return this;
    return changed(table().with("after", new SyntaxNode.Sequence(exact, 1)));
  }

  /** The job whose outputs it reads, which it comes after without saying so. */
  private Optional<String> implied() {
    return table()
        .get("tasks")
        .flatMap(tasks ->
            tasks instanceof SyntaxNode.Mapping mapping
                ? mapping.text("inputsOf").or(() -> nested(mapping))
                : Optional.empty());
  }

  private static Optional<String> nested(SyntaxNode.Mapping tasks) {
    return tasks.get("inputsOf").orElse(null) instanceof SyntaxNode.Mapping of
        ? of.text("job")
        : Optional.empty();
  }

  private static boolean names(SyntaxNode item, String job) {
    return switch (item) {
      case SyntaxNode.Text text -> text.value().equals(job);
      case SyntaxNode.Mapping mapping -> mapping.text("job").filter(job::equals).isPresent();
      default -> false;
    };
  }

  private static SyntaxNode exact(SyntaxNode item, Map<String, String> submissions) {
    var row =
        item instanceof SyntaxNode.Mapping written
            ? written
            : new SyntaxNode.Mapping(Map.of("job", item), 1);
    var known = row.text("job").map(submissions::get);
    return known.isEmpty() || row.get("submission").isPresent()
        ? item
        : row.with("submission", new SyntaxNode.Text(known.get(), 1));
  }

  private SyntaxNode.Mapping table() {
    return (SyntaxNode.Mapping) DocumentParser.documents(bytes(), "").getFirst();
  }

  private ParsedDocument changed(SyntaxNode.Mapping document) {
    var bytes = document.json().getBytes(StandardCharsets.UTF_8);
    var parsedDocument = UserDocuments.parse(bytes, "", Map.of()).getFirst();
    return new ParsedDocument(kind, name, parsedDocument.json(), parsedDocument.command(), at);
  }

  public byte[] bytes() {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
