package dev.mayfly.wire.document;

import dev.mayfly.core.model.job.TaskEnvironment.GangMode;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.KebabCase;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Reads {@code gang}: a number of hosts, or an object that says more. */
final class GangReader {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FieldReader fieldReader;
  private final FieldReader gang;

  GangReader(FieldReader fieldReader) {
    this.fieldReader = fieldReader;
    this.gang = fieldReader.child("gang");
  }

  private boolean isObject() {
    return fieldReader.mapping().get("gang").orElse(null) instanceof SyntaxNode.Mapping;
  }

  int hosts() {
    return (int) (isObject() ? gang.integer("hosts", 0) : fieldReader.integer("gang", 0));
  }

  /** Said in the gang, or beside it for the hosts of a slice. */
  Optional<Duration> settle() {
    var inside = gang.mapping().get("settle").isPresent();
    if (inside && fieldReader.mapping().get("settle").isPresent())
      fieldReader.addProblem("settle", "stands in gang too; keep one of them");
    var reader = inside ? gang : fieldReader;
    var told = reader.duration("settle", SECOND, SECOND, Duration.ofDays(30));
    return reader.mapping().get("settle").map(_ -> told);
  }

  /** The schema has reported any other word. */
  Optional<GangMode> mode() {
    return gang.text("mode")
        .flatMap(word ->
            Arrays.stream(GangMode.values()).filter(m -> KebabCase.of(m).equals(word)).findFirst());
  }
}
