package dev.mayfly.cli.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.catalog.CudaVersion;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code schemas/recipe.schema.json} and the reader accept the same. */
class RecipeSchemaTest {
  private Map<String, ?> fields;

  @BeforeEach
  void readSchema() throws IOException {
    var file = "/dev/mayfly/schemas/recipe.schema.json";
    try (var in = UserDocuments.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      fields = object(UserDocuments.fields(in.readAllBytes()).get("properties"));
    }
  }

  @Test
  void fieldsAreThoseOfReader() {
    assertThat(fields.keySet()).isEqualTo(RecipeReader.FIELDS);
  }

  @Test
  void formsAreThoseOfReader() {
    assertThat(object(fields.get("cuda")).get("enum")).isEqualTo(CudaVersion.versions());
    assertThat(form(fields.get("python"))).isEqualTo(whole(RecipeReader.PYTHON));
    assertThat(form(fields.get("requirements"))).isEqualTo(whole(RecipeReader.FILE));
    assertThat(form(fields.get("base"))).isEqualTo(whole(ImageDestinations.NAME));
    assertThat(form(object(fields.get("apt")).get("items"))).isEqualTo(whole(RecipeReader.APT));
    assertThat(form(object(fields.get("pip")).get("items"))).isEqualTo(whole(RecipeReader.PIP));
  }

  @Test
  void examplesAreRead() {
    var recipe = new StringBuilder("{");
    fields.forEach((name, field) ->
        recipe.append(name).append(": ").append(example(object(field))).append(", "));
    var read = RecipeReader.read((recipe + "}").getBytes(UTF_8), "image.yaml");

    assertThat(read.base()).hasValue("ubuntu:22.04");
    assertThat(read.pip()).containsExactly("torch==2.4.0", "numpy>=2");
  }

  private static String example(Map<String, ?> field) {
    var first = ((List<?>) field.get("examples")).getFirst();
    return first instanceof List<?> list
        ? list.stream().map(it -> "'" + it + "'").toList().toString()
        : "'" + first + "'";
  }

  private static Object form(Object schema) {
    return object(schema).get("pattern");
  }

  private static String whole(Pattern pattern) {
    return "^(" + pattern.pattern() + ")$";
  }

  @SuppressWarnings("unchecked")
  private static Map<String, ?> object(Object value) {
    return (Map<String, ?>) value;
  }
}
