package dev.mayfly.cli.image;

import dev.mayfly.core.catalog.CudaVersion;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.SingleLineText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads an {@link ImageRecipe} from YAML or JSON, and reports all that is wrong at once. {@code
 * recipe.schema.json} says the same for editors; a version may be written as a number here.
 */
final class RecipeReader {
  static final Set<String> FIELDS =
      new TreeSet<>(List.of("apt", "base", "cuda", "pip", "python", "requirements"));

  static final Pattern PYTHON = Pattern.compile("3[.]\\d{1,2}([.]\\d{1,2})?");
  static final Pattern APT =
      Pattern.compile("[a-z0-9][a-z0-9.+-]{0,100}(=[A-Za-z0-9][A-Za-z0-9.+:~-]{0,100})?");

  /** A name, extras and versions, as PEP 508 writes them without spaces and markers. */
  static final Pattern PIP =
      Pattern.compile(
          "[A-Za-z0-9][A-Za-z0-9._-]{0,100}(\\[[A-Za-z0-9,._-]{1,100}\\])?"
              + "((===?|>=|<=|~=|!=|<|>)[A-Za-z0-9.*+!_-]{1,100}(,(?=[=<>~!]))?){0,5}");

  static final Pattern FILE =
      Pattern.compile("(?!.*[.][.])[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*");

  private final String label;
  private final SyntaxNode.Mapping fields;
  private final List<InputError> errors = new ArrayList<>();

  private RecipeReader(String label, SyntaxNode.Mapping fields) {
    this.label = label;
    this.fields = fields;
  }

  /** Throws {@link InvalidInputException} with all errors. */
  static ImageRecipe read(byte[] text, String label) {
    var documents = DocumentParser.documents(text, label);
    if (documents.size() != 1 || !(documents.getFirst() instanceof SyntaxNode.Mapping fields))
      throw new InvalidInputException(
          label, "is not a recipe; write one object of fields such as cuda: \"12.4\"");
    return new RecipeReader(label, fields).recipe();
  }

  private ImageRecipe recipe() {
    for (var name : fields.fields().keySet())
      if (!FIELDS.contains(name))
        add(
            name,
            "is not a field of a recipe; the fields are %s%s"
                .formatted(String.join(", ", FIELDS), SpellingSuggestion.hint(name, FIELDS)));
    var recipe =
        new ImageRecipe(
            text("base", ImageDestinations.NAME, "an image such as ubuntu:22.04"),
            cuda(),
            text("python", PYTHON, "a version such as \"3.12\""),
            texts("apt", APT, "a package such as git or git=1:2.39.5-0"),
            texts("pip", PIP, "a package such as torch==2.4.0 or numpy>=2"),
            text("requirements", FILE, "a file beside the recipe such as requirements.txt"));
    if (!errors.isEmpty()) throw new InvalidInputException(errors);
    return recipe;
  }

  private Optional<CudaVersion> cuda() {
    var written = scalar("cuda");
    var known = written.flatMap(CudaVersion::of);
    if (written.isPresent() && known.isEmpty())
      add(
          "cuda",
          "'%s' is not in the catalog; write one of %s, or name a base that has it and leave cuda out"
              .formatted(written.get(), String.join(", ", CudaVersion.versions())));
    return known;
  }

  private Optional<String> text(String field, Pattern form, String like) {
    var value = scalar(field);
    value
        .filter(text -> !form.matcher(text).matches())
        .ifPresent(text -> add(field, unfit(text, like)));
    return value;
  }

  private Optional<String> scalar(String field) {
    var node = fields.get(field);
    var value = node.flatMap(RecipeReader::scalar);
    if (node.isPresent() && value.isEmpty()) add(field, "is not a text; write one value");
    return value;
  }

  private static Optional<String> scalar(SyntaxNode node) {
    return switch (node) {
      case SyntaxNode.Text text -> Optional.of(text.value());
      case SyntaxNode.Literal literal -> Optional.of(literal.written());
      default -> Optional.empty();
    };
  }

  private List<String> texts(String field, Pattern form, String like) {
    var node = fields.get(field);
    if (node.isEmpty()) return List.of();
    if (!(node.get() instanceof SyntaxNode.Sequence list)) {
      add(field, "is not a list; write [%s]".formatted(field.equals("apt") ? "git" : "numpy"));
      return List.of();
    }
    var all = new ArrayList<String>();
    for (var item : list.items()) {
      var value = scalar(item).orElse("");
      if (form.matcher(value).matches()) all.add(value);
      else add(field, unfit(value, like));
    }
    return all;
  }

  private static String unfit(String value, String like) {
    return "'%s' does not fit; write %s".formatted(SingleLineText.of(value, 100), like);
  }

  private void add(String field, String message) {
    errors.add(
        new InputError(
            "%s:%d: %s".formatted(label, fields.get(field).orElse(fields).line(), field), message));
  }
}
