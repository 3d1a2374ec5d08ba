package dev.mayfly.wire;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Command;
import dev.mayfly.wire.source.Node;
import dev.mayfly.wire.source.Source;
import dev.mayfly.wire.source.Trees;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One checked document of a user's.
 *
 * @param name of what it is about: a Cluster's or Job's own, the {@code job} of a StopJob
 * @param json the document with its defaults and variables, as it can be published
 * @param command what it asks; a Job's code may be a folder until {@link #with} gives it a URL
 * @param place where it was read, for example {@code job.yaml:12}
 */
public record Parsed(String kind, String name, String json, Command command, String place) {
  /**
   * The same document with a field at its top set: its {@code code}, {@code owner} or {@code
   * submission}. Throws {@link Invalid} if it does not fit.
   */
  public Parsed with(String field, String value) {
    return changed(table().with(field, new Node.Text(value, 1)));
  }

  /** The same document with more texts at the end of a list at its top: its {@code command}. */
  public Parsed withMore(String field, List<String> values) {
    var items = new ArrayList<Node>();
    if (table().get(field).orElse(null) instanceof Node.Row row) items.addAll(row.items());
    values.forEach(value -> items.add(new Node.Text(value, 1)));
    return changed(table().with(field, new Node.Row(items, 1)));
  }

  private Node.Table table() {
    return (Node.Table) Source.documents(bytes(), "").getFirst();
  }

  private Parsed changed(Node.Table document) {
    var bytes = Trees.json(document).toString().getBytes(StandardCharsets.UTF_8);
    var parsed = Documents.parse(bytes, "", Map.of()).getFirst();
    return new Parsed(kind, name, parsed.json(), parsed.command(), place);
  }

  public byte[] bytes() {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
