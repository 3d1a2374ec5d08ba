package dev.mayfly.cli.simulate;

import dev.mayfly.wire.syntax.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** A cluster, a job or a command that is written in a scenario: it may leave out what is known. */
final class InlineDocument {
  private static final String NAME = "lab";

  private InlineDocument() {}

  static SyntaxNode.Mapping cluster(SyntaxNode.Mapping written) {
    var named = with(of(written, "Cluster"), "name", text(NAME, written));
    return with(named, "bucket", text("gs://" + NAME, written));
  }

  /**
   * @param tasks how many it has if it does not say so
   */
  static SyntaxNode.Mapping job(SyntaxNode.Mapping written, String cluster, long tasks) {
    LongFunction<SyntaxNode> number = n -> SyntaxNode.plain(Long.toString(n), written.line());
    var count = new SyntaxNode.Mapping(Map.of("count", number.apply(tasks)), written.line());
    var command = new ArrayList<SyntaxNode>(List.of(text("true", written)));
    var job = with(of(written, "Job"), "cluster", text(cluster, written));
    job = with(job, "tasks", count);
    return with(job, "command", new SyntaxNode.Sequence(command, written.line()));
  }

  /** A command; one without a kind changes the cluster. */
  static SyntaxNode.Mapping command(SyntaxNode.Mapping written, String cluster) {
    if (written.text("kind").orElse("Cluster").equals("Cluster")) {
      var named = with(written, "name", text(cluster, written));
      return cluster(named);
    }
    return with(of(written, ""), "cluster", text(cluster, written));
  }

  private static SyntaxNode.Mapping of(SyntaxNode.Mapping written, String kind) {
    var dated = with(written, "apiVersion", text("mayfly.dev/v1", written));
    return kind.isEmpty() ? dated : with(dated, "kind", text(kind, written));
  }

  private static SyntaxNode.Mapping with(
      SyntaxNode.Mapping document, String field, SyntaxNode value) {
    return document.get(field).isPresent() ? document : document.with(field, value);
  }

  private static SyntaxNode.Text text(String value, SyntaxNode like) {
    return new SyntaxNode.Text(value, like.line());
  }
}
