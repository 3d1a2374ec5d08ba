package dev.mayfly.wire.syntax;

import dev.mayfly.core.text.TaskTemplate;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names of variables in documents, whether or not they have a value there. */
public final class DocumentVariables {
  private static final Pattern WORD = Pattern.compile("\\{([A-Za-z_][A-Za-z0-9_]*)\\}");

  private final Set<String> names = new TreeSet<>();

  private DocumentVariables() {}

  public static Set<String> of(Collection<? extends SyntaxNode> documents) {
    var found = new DocumentVariables();
    documents.forEach(found::add);
    found.names.removeAll(TaskTemplate.NAMES);
    return found.names;
  }

  private void add(SyntaxNode node) {
    switch (node) {
      case SyntaxNode.Mapping mapping ->
          mapping
              .fields()
              .forEach((name, value) -> {
                if (name.equals("variables") && value instanceof SyntaxNode.Mapping set)
                  names.addAll(set.fields().keySet());
                add(value);
              });
      case SyntaxNode.Sequence sequence -> sequence.items().forEach(this::add);
      case SyntaxNode.Text text ->
          WORD.matcher(text.value()).results().forEach(word -> names.add(word.group(1)));
      default -> {}
    }
  }
}
