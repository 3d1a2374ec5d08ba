package dev.mayfly.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Differences of values, as people read them. */
class FieldChangeTest {
  private record Part(String name, int size, boolean kept) {}

  private record Whole(
      String title,
      List<Part> parts,
      List<String> words,
      Map<String, String> env,
      Optional<String> note) {}

  private static final Whole WHOLE =
      new Whole(
          "a",
          List.of(new Part("x", 1, false), new Part("y", 2, true)),
          List.of("one", "two"),
          Map.of(),
          Optional.empty());

  @Test
  void equalValuesHaveNoDifference() {
    assertThat(FieldChange.between(WHOLE, WHOLE)).isEmpty();
  }

  @Test
  void partsAreComparedByName() {
    var next =
        new Whole(
            "a",
            List.of(new Part("y", 2, true), new Part("x", 7, false)),
            List.of("one"),
            Map.of("K", "v"),
            Optional.of("n"));

    assertThat(FieldChange.between(WHOLE, next))
        .containsExactlyInAnyOrder(
            change("parts.x.size", "1", "7"),
            change("parts", "x, y", "y, x"),
            change("words", "one, two", "one"),
            change("env.K", null, "v"),
            change("note", null, "n"));
  }

  /** Zero and false are what a missing field is read as. */
  @Test
  void newZerosAreNoDifference() {
    var next =
        new Whole("a", List.of(new Part("z", 0, false)), List.of(), Map.of(), Optional.empty());

    assertThat(FieldChange.ofNew(next))
        .containsExactlyInAnyOrder(change("title", null, "a"), change("parts", null, "z"));
    assertThat(FieldChange.between(WHOLE, next))
        .contains(change("parts.y.kept", "true", null), change("words", "one, two", null))
        .doesNotContain(change("parts.x.kept", "false", null));
  }

  private static FieldChange change(String field, String was, String now) {
    return new FieldChange(field, Optional.ofNullable(was), Optional.ofNullable(now));
  }
}
