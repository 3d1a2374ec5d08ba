package dev.mayfly.local.machines.compute;

import com.google.protobuf.Message;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.machines.ProtoJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The filter of a list call: comparisons with {@code =}, {@code !=} or {@code :*} (is present),
 * joined by AND, with or without parentheses.
 */
final class ListFilter {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern JOIN = Pattern.compile("\\)?\\s+AND\\s+\\(?");
  private static final Pattern TERM =
      Pattern.compile("([a-zA-Z][a-zA-Z0-9_.-]*)\\s*(=|!=|:)\\s*(?:\"([^\"]*)\"|([^\\s\"()]+))");

  private record Term(List<String> path, String operator, String value) {
    boolean matches(JsonNode tree) {
      var node = tree;
      for (var step : path) {
        node = node.path(step);
      }
      var found = node.isMissingNode() ? Optional.<String>empty() : Optional.of(node.asString());
      return switch (operator) {
        case "=" -> found.filter(value::equals).isPresent();
        case "!=" -> found.filter(value::equals).isEmpty();
        default -> found.isPresent();
      };
    }
  }

  private final List<Term> terms;

  private ListFilter(List<Term> terms) {
    this.terms = terms;
  }

  /**
   * @param text empty for no filter
   * @throws ApiError (400) for a filter that this cloud does not support
   */
  static ListFilter parse(Optional<String> text) {
    var terms = new ArrayList<Term>();
    for (var part : text.map(ListFilter::split).orElse(List.of())) {
      var match = TERM.matcher(part);
      if (!match.matches() || (match.group(2).equals(":") && !"*".equals(match.group(4)))) {
        throw ApiError.invalid(
            "Invalid value for field 'filter': '%s'. This cloud supports comparisons with = != :* joined by AND"
                .formatted(text.orElse("")));
      }
      var value = match.group(3) == null ? match.group(4) : match.group(3);
      terms.add(new Term(List.of(match.group(1).split("\\.")), match.group(2), value));
    }
    return new ListFilter(terms);
  }

  boolean matches(Message message) {
    if (terms.isEmpty()) {
      return true;
    }
    var tree = JSON.readTree(ProtoJson.print(message));
    return terms.stream().allMatch(term -> term.matches(tree));
  }

  private static List<String> split(String text) {
    var inner = text.strip();
    var bare = inner.startsWith("(") && inner.endsWith(")");
    return List.of(JOIN.split(bare ? inner.substring(1, inner.length() - 1) : inner));
  }
}
