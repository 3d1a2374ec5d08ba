package dev.mayfly.core.catalog;

import dev.mayfly.core.text.Glob;
import dev.mayfly.core.text.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds types by what people type: a name, a family, the beginning of names, or a pattern with
 * {@code *} and {@code ?}.
 */
public final class CatalogSearch {
  private static final int NEAR = 5;

  /** Sorted by family, then size. */
  private static final List<CatalogEntry> ALL =
      Stream.concat(MachineTypes.all().stream(), TpuTypes.all().stream().map(CatalogEntry::of))
          .sorted(
              Comparator.comparing(CatalogEntry::family)
                  .thenComparing(CatalogEntry::gpus)
                  .thenComparing(CatalogEntry::chips)
                  .thenComparing(it -> it.host().cpuMillis())
                  .thenComparing(it -> it.host().memoryBytes())
                  .thenComparing(CatalogEntry::type))
          .toList();

  /** What a search comes to. */
  public sealed interface Result {}

  /** All that match, sorted by family, then size. */
  public record Found(List<CatalogEntry> entries) implements Result {
    public Found {
      entries = List.copyOf(entries);
    }
  }

  /** Each of these words matches nothing. */
  public record Unknown(List<Miss> misses) implements Result {
    public Unknown {
      misses = List.copyOf(misses);
    }
  }

  /**
   * A word that matches nothing.
   *
   * @param unusable why not, of a type that Google has and that cannot be a worker
   * @param near names that may have been meant, the closest first
   */
  public record Miss(String pattern, Optional<String> unusable, List<String> near) {
    public Miss {
      near = List.copyOf(near);
    }
  }

  private CatalogSearch() {}

  /** What matches any of the words, or everything if there are none; of some types alone. */
  public static Result find(List<String> words, Predicate<CatalogEntry> among) {
    var candidates = ALL.stream().filter(among).toList();
    if (words.isEmpty()) return new Found(candidates);
    var found = new LinkedHashSet<CatalogEntry>();
    var misses = new ArrayList<Miss>();
    for (var word : words) {
      var matching = matching(word.toLowerCase(Locale.ROOT), candidates, among);
      if (matching.isEmpty()) misses.add(miss(word, candidates));
      found.addAll(matching);
    }
    if (!misses.isEmpty()) return new Unknown(misses);
    var custom = found.stream().filter(it -> !ALL.contains(it));
    return new Found(Stream.concat(ALL.stream().filter(found::contains), custom).toList());
  }

  /** A whole name counts before a family, and a family before the beginning of names. */
  private static List<CatalogEntry> matching(
      String word, List<CatalogEntry> candidates, Predicate<CatalogEntry> among) {
    if (word.contains("*") || word.contains("?")) {
      var glob = glob(word);
      return candidates.stream().filter(it -> glob.matches(it.type())).toList();
    }
    return Stream.<Predicate<CatalogEntry>>of(
            it -> it.type().equals(word),
            it -> it.family().equals(word),
            it -> it.type().startsWith(word))
        .map(matches -> candidates.stream().filter(matches).toList())
        .filter(some -> !some.isEmpty())
        .findFirst()
        .orElseGet(() -> other(word).filter(among).stream().toList());
  }

  /** The machine of a TPU type that Cloud TPU lacks, or one of a custom type. */
  private static Optional<CatalogEntry> other(String word) {
    return TpuMachine.ofTpu(word).map(TpuMachine::entry).or(() -> custom(word));
  }

  /** No type has brackets in its name. */
  private static Glob glob(String word) {
    return Glob.of(word.replace('[', ' '));
  }

  private static Optional<CatalogEntry> custom(String word) {
    return MachineTypes.shape(word)
        .filter(_ -> word.contains("custom-"))
        .map(shape -> CatalogEntry.machine(word, shape, Optional.empty()));
  }

  private static Miss miss(String word, List<CatalogEntry> candidates) {
    return new Miss(word, MachineTypes.unusable(word), near(word, candidates));
  }

  private static List<String> near(String word, List<CatalogEntry> candidates) {
    // Google's pages call this generation so.
    var bare = word.toLowerCase(Locale.ROOT).replaceAll("-?[*?]+$", "");
    var meant = bare.replaceFirst("^v5e", "v5litepod");
    var names = candidates.stream().map(CatalogEntry::type).toList();
    var families = candidates.stream().map(CatalogEntry::family).distinct().toList();
    return Stream.of(
            names.stream().filter(it -> !meant.equals(bare) && it.startsWith(meant)),
            SpellingSuggestion.all(meant, names).stream(),
            SpellingSuggestion.all(meant, families).stream(),
            families.stream().filter(CatalogEntry.familyOf(meant)::equals),
            candidates.stream()
                .filter(it ->
                    it.gpuModel()
                        .filter(model -> !bare.isEmpty() && model.contains(bare))
                        .isPresent())
                .map(CatalogEntry::type))
        .flatMap(it -> it)
        .distinct()
        .limit(NEAR)
        .toList();
  }
}
