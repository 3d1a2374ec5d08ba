package dev.mayfly.core.text;

import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Replaces {name} by values. Only {word} counts, so that {@code awk '{print $1}'} stays as it is;
 * {@code {{word}}} gives the text {word}. A brace after a {@code $} is a shell's: {@code ${word}}
 * stays as it is.
 */
public final class TaskTemplate {
  /** The names that every task has, besides its own vars. */
  public static final Set<String> NAMES =
      Set.of(
          "index", "job", "input", "output", "inputFile", "outputFile", "stem", "file", "attempt");

  /** The names in an output's template: values known before the task runs. */
  public static final Set<String> OUTPUT_NAMES =
      Set.of("index", "job", "stem", "file", "name", "owner", "date");

  /** The environment variables with the values of names that every task has. */
  public static final Map<String, String> VARIABLES =
      Map.of(
          "index", "MAYFLY_INDEX",
          "job", "MAYFLY_JOB",
          "attempt", "MAYFLY_ATTEMPT",
          "input", "MAYFLY_INPUT_URL",
          "output", "MAYFLY_OUTPUT_URL",
          "inputFile", "MAYFLY_INPUT",
          "outputFile", "MAYFLY_OUTPUT");

  private static final Pattern WORD =
      Pattern.compile(
          "\\{(\\{[A-Za-z_][A-Za-z0-9_]*\\})\\}|(?<!\\$)\\{([A-Za-z_][A-Za-z0-9_]*)\\}");
  private static final Pattern SHELL_WORD = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}");
  private static final Set<String> PACKED = Set.of("gz", "zst", "bz2", "xz", "zip", "lz4");

  private TaskTemplate() {}

  /** The {words} of a template that are not in {@code known}. */
  public static List<String> unknownPlaceholders(String template, Set<String> known) {
    return placeholders(template).stream().filter(w -> !known.contains(w)).toList();
  }

  /** The {words} of a template, in their order. */
  public static List<String> placeholders(String template) {
    var words = new ArrayList<String>();
    var match = WORD.matcher(template);
    while (match.find()) if (match.group(2) != null) words.add(match.group(2));
    return words;
  }

  /** The names in {@code ${name}}, which only a shell fills in. */
  public static Set<String> shellVariables(String text) {
    return SHELL_WORD
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Fills a template; a word without a value stays as it is. */
  public static String fill(String template, Map<String, String> values) {
    if (template.indexOf('{') < 0) return template;
    return replaced(template, m -> filled(m, values));
  }

  private static String replaced(String template, Function<MatchResult, String> by) {
    return WORD.matcher(template).replaceAll(m -> Matcher.quoteReplacement(by.apply(m)));
  }

  /** For a first pass: keeps double braces, so that a second pass still treats them as text. */
  private static String known(MatchResult match, Map<String, String> values) {
    return match.group(1) != null ? match.group() : filled(match, values);
  }

  private static String filled(MatchResult match, Map<String, String> values) {
    if (match.group(1) != null) return match.group(1);
    return Optional.ofNullable(values.get(match.group(2))).orElseGet(match::group);
  }

  /**
   * Fills {name}, {owner} and {date} in the job's output and checkpoint. The date is the day of
   * submission, in UTC, so that every repeat of the submission gives the same text.
   */
  public static JobSpec fillSubmission(JobSpec spec, Instant at) {
    var values =
        Map.of(
            "name", spec.name(),
            "owner", spec.owner().orElse("nobody"),
            "date", LocalDate.ofInstant(at, ZoneOffset.UTC).toString());
    var filled = spec.withOutput(spec.data().output().map(t -> fillKnown(t, values)));
    var environment = filled.run().taskEnvironment();
    return environment.checkpoint().isEmpty()
        ? filled
        : filled.with(
            environment.withCheckpoint(environment.checkpoint().map(t -> fillKnown(t, values))));
  }

  private static String fillKnown(String template, Map<String, String> values) {
    return replaced(template, match -> known(match, values));
  }

  /** The place of a task's checkpoints, which ends with a slash; empty if the job names none. */
  public static Optional<String> checkpointUrl(JobSpec spec, String job, TaskItem item) {
    return spec.run()
        .taskEnvironment()
        .checkpoint()
        .map(template -> fill(template, placeholderValues(job, item)));
  }

  /** The values known before a task runs. */
  public static Map<String, String> placeholderValues(String job, TaskItem item) {
    var values = new LinkedHashMap<String, String>(item.vars());
    values.put("index", Long.toString(item.index()));
    values.put("job", job);
    item.input()
        .ifPresent(url -> {
          values.put("input", url);
          values.put("file", fileName(url));
          values.put("stem", stem(url));
        });
    return values;
  }

  /** The URL of a task's output; by default {@code <bucket>/mayfly/<job>/<index>}. */
  public static String outputUrl(JobSpec spec, String bucket, String job, TaskItem item) {
    return spec.data()
        .output()
        .map(t -> fill(t, placeholderValues(job, item)))
        .orElseGet(() -> bucket + "/mayfly/" + job + "/" + item.index());
  }

  /** The last part of a URL. */
  public static String fileName(String url) {
    return url.substring(url.lastIndexOf('/') + 1);
  }

  /**
   * The file's name without its extension; {@code a.jsonl.gz} gives {@code a}, because .gz only
   * names the compression.
   */
  public static String stem(String url) {
    var file = fileName(url);
    var dot = file.lastIndexOf('.');
    if (dot > 0 && PACKED.contains(file.substring(dot + 1))) {
      file = file.substring(0, dot);
      dot = file.lastIndexOf('.');
    }
    return dot > 0 ? file.substring(0, dot) : file;
  }
}
