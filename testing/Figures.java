import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints how large the project is and how easy its parts are to find. Run it by {@code testing/figures}. */
final class Figures {
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?dev\\.mayfly\\.[a-z.]*([A-Z]\\w*)", Pattern.MULTILINE);
  private static final Pattern NO_CODE =
      Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\\\n])*\"", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w*");
  private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+");
  private static final Pattern TEST =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|FuzzTest)\\b[^;{]*?"
              + "\\b(?:void|Stream<DynamicTest>) (\\w+)\\(");

  /**
   * One Java file.
   *
   * @param proves whether it is of a module under {@code testing}, or a test
   */
  private record Source(Path path, String text, boolean proves) {
    String type() {
      return path.getFileName().toString().replace(".java", "");
    }

    boolean isType() {
      return !type().equals("package-info");
    }

    long count() {
      return text.lines().count();
    }
  }

  private Figures() {}

  public static void main(String[] arguments) throws IOException {
    var root = Path.of(arguments.length > 0 ? arguments[0] : "");
    var all = sources(root);
    var main = all.stream().filter(it -> it.path().toString().contains("src/main")).toList();
    var product = main.stream().filter(it -> !it.proves()).toList();

    row("figure", "product", "all main sources", "aim");
    row("lines", lines(product), lines(main), "55,000 product");
    row("files", "%,d".formatted(product.size()), "%,d".formatted(main.size()), "");
    row("files in the biggest package", biggest(product), biggest(main), "25");
    row("names of one word", oneWord(product), oneWord(main), "below 15 %");
    row("project types that a file imports, mean", imported(product), imported(main), "4.0");
    row("project types that a file names, mean", known(product, all), known(main, all), "");
    row("project types that a file names, median", middle(product, all), middle(main, all), "4");
    System.out.println();
    System.out.println("lines of the product by module: " + modules(product));
    System.out.println("lines of core by package: " + packages(product));
    System.out.println();

    var tests =
        all.stream()
            .flatMap(it -> TEST.matcher(it.text()).results().map(test -> it.type() + "." + test.group(1)))
            .sorted(Comparator.comparing(Figures::words).thenComparing(it -> it))
            .toList();
    System.out.printf("%,d tests; words in a name: median %d, most %d (%s)%n",
        tests.size(), words(tests.get(tests.size() / 2)), words(tests.getLast()), tests.getLast());
  }

  private static void row(String what, String product, String all, String aim) {
    System.out.printf("%-42s %-34s %-34s %s%n", what, product, all, aim);
  }

  private static String lines(List<Source> sources) {
    return "%,d".formatted(sources.stream().mapToLong(Source::count).sum());
  }

  private static String modules(List<Source> sources) {
    return most(sources, it -> it.path().toString().replaceFirst("/?src/main/.*", ""));
  }

  private static String packages(List<Source> sources) {
    var core = "dev/mayfly/core/";
    return most(
        sources.stream().filter(it -> it.path().toString().contains("/main/java/" + core)).toList(),
        it -> it.path().toString().replaceFirst(".*/" + core, "").replaceFirst("/.*", ""));
  }

  /** Lines by a name of each file, the most first. */
  private static String most(List<Source> sources, Function<Source, String> name) {
    return sources.stream()
        .collect(Collectors.groupingBy(name, Collectors.summingLong(Source::count)))
        .entrySet()
        .stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(it -> "%s %,d".formatted(it.getKey().substring(it.getKey().lastIndexOf('/') + 1), it.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String biggest(List<Source> sources) {
    return sources.stream()
        .collect(Collectors.groupingBy(it -> it.path().getParent(), Collectors.counting()))
        .entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(it -> it.getValue() + " (" + room(it.getKey()) + ")")
        .orElse("");
  }

  private static String room(Path folder) {
    var path = folder.toString();
    return path.substring(path.indexOf("dev/mayfly/") + "dev/mayfly/".length());
  }

  private static String oneWord(List<Source> sources) {
    var types = sources.stream().filter(Source::isType).toList();
    var single = types.stream().filter(it -> words(it.type()) == 1).count();
    return String.format(Locale.ROOT, "%.1f %%", 100.0 * single / types.size());
  }

  private static String imported(List<Source> sources) {
    var types = sources.stream().filter(Source::isType).toList();
    return String.format(
        Locale.ROOT, "%.1f", types.stream().mapToInt(it -> imports(it).size()).average().orElse(0));
  }

  private static String known(List<Source> sources, List<Source> all) {
    return String.format(
        Locale.ROOT, "%.1f", names(sources, all).stream().mapToInt(it -> it).average().orElse(0));
  }

  private static String middle(List<Source> sources, List<Source> all) {
    var counts = names(sources, all).stream().sorted().toList();
    return String.valueOf(counts.get(counts.size() / 2));
  }

  /** How many types of the project each file names in its code, those of its own package too. */
  private static List<Integer> names(List<Source> sources, List<Source> all) {
    Map<Path, Set<String>> rooms = new HashMap<>();
    for (var source : all)
      if (source.isType())
        rooms.computeIfAbsent(source.path().getParent(), _ -> new HashSet<>()).add(source.type());
    var counts = new ArrayList<Integer>();
    for (var source : sources) {
      if (!source.isType()) continue;
      var named = new HashSet<>(imports(source));
      var code = NO_CODE.matcher(source.text()).replaceAll(" ");
      var words = NAME.matcher(code).results().map(it -> it.group()).collect(Collectors.toSet());
      rooms.get(source.path().getParent()).stream().filter(words::contains).forEach(named::add);
      named.remove(source.type());
      counts.add(named.size());
    }
    return counts;
  }

  private static Set<String> imports(Source source) {
    return IMPORT.matcher(source.text()).results().map(it -> it.group(1)).collect(Collectors.toSet());
  }

  private static int words(String name) {
    var last = name.substring(name.indexOf('.') + 1);
    return (int) WORD.matcher(last).results().count();
  }

  private static List<Source> sources(Path root) throws IOException {
    var found = new TreeMap<Path, Source>();
    try (Stream<Path> files = Files.walk(root, 20)) {
      files
          .filter(it -> it.toString().endsWith(".java"))
          .filter(it -> it.toString().matches(".*src/(main|test)/java/.*"))
          .filter(it -> !it.toString().contains("/target/"))
          .forEach(it -> found.put(it, source(it)));
    }
    return List.copyOf(found.values());
  }

  private static Source source(Path file) {
    try {
      var path = file.toString();
      var proves = path.matches("(.*/)?testing/.*") || path.contains("src/test/");
      return new Source(file, Files.readString(file, UTF_8), proves);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
