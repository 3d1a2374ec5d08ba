package dev.mayfly.cli.catalog;

import dev.mayfly.cli.output.WrappedText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The words below a list: where and when its prices were so, and what they are worth. */
final class PriceOrigins {
  private static final String INDENT = "  ";

  /** Where and when prices were so, and by which source. */
  private record Origin(String region, String month, String source) {}

  /** The types that were priced, by origin, then by family. */
  private final Map<Origin, Map<String, Set<String>>> priced =
      new TreeMap<>(
          Comparator.comparing(Origin::region)
              .thenComparing(Origin::month)
              .thenComparing(Origin::source));

  void add(CatalogLine.Price price, String family, String type) {
    var origin = new Origin(price.region(), price.month(), price.source());
    priced
        .computeIfAbsent(origin, _ -> new TreeMap<>())
        .computeIfAbsent(family, _ -> new LinkedHashSet<>())
        .add(type);
  }

  /**
   * The lines, of at most so many columns.
   *
   * @param slices whether the list has types of several hosts
   * @param gaps whether the list has types without a price
   */
  List<String> lines(boolean slices, boolean gaps, int width) {
    var text = new ArrayList<String>();
    if (slices) text.add("CPUS and GIB are those of one host, prices those of all hosts.");
    if (!priced.isEmpty())
      text.add(
          "Prices are estimates: list prices in dollars an hour, without discounts, taxes and"
              + " network. They differ between regions, and those of spot change daily.");
    if (gaps) text.add("Where a price is missing, it is not known, or the type is not sold so.");
    var lines = new ArrayList<>(WrappedText.lines(String.join(" ", text), width));
    priced.forEach((origin, families) -> {
      var where = "%s in %s".formatted(origin.region(), origin.month());
      var line = where + (priced.size() > 1 ? ": " + String.join(", ", names(families)) : "");
      indent(WrappedText.lines(line, width - INDENT.length()), lines);
      indent(List.of(INDENT + "from " + origin.source()), lines);
    });
    return lines;
  }

  /** Families, and the types of those whose prices have several origins. */
  private List<String> names(Map<String, Set<String>> families) {
    return families.entrySet().stream()
        .flatMap(it ->
            priced.values().stream().filter(other -> other.containsKey(it.getKey())).count() > 1
                ? it.getValue().stream()
                : Stream.of(it.getKey()))
        .toList();
  }

  private static void indent(List<String> some, List<String> lines) {
    some.forEach(line -> lines.add(INDENT + line));
  }
}
