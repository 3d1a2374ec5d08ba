package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Commands and options in documents and scripts exist. */
class DocumentedCommandsTest {
  /** In code only: {@code mayfly VERB …}, up to the end of the code or of the command. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:`|^ {4,}(?:\\S+=\\S+ )*)(?:\\./)?mayfly ([a-z]+(?:-[a-z]+)*)([^`\\n|;>]*)",
          Pattern.MULTILINE);

  /** In a script: {@code ./mayfly VERB …}, wherever it stands. */
  private static final Pattern TYPED =
      Pattern.compile("\\./mayfly ([a-z]+(?:-[a-z]+)*)([^\\n|;>&)\"]*)", Pattern.MULTILINE);

  private static final Pattern OPTION = Pattern.compile("(?:^| )(--?[a-z][a-z-]*)");

  @Test
  void documentedCommandsAndOptionsExist() throws IOException {
    var wrong = new ArrayList<String>();
    var seen = 0;
    for (var document : documents()) {
      var found = COMMAND.matcher(Files.readString(document));
      while (found.find()) {
        seen++;
        problem(found.group(1), found.group(2)).ifPresent(p -> wrong.add(document + ": " + p));
      }
    }

    assertThat(seen).isGreaterThan(60);
    assertThat(wrong).isEmpty();
  }

  @Test
  void scriptsUseExistingCommands() throws IOException {
    var wrong = new ArrayList<String>();
    var seen = 0;
    for (var script : scripts()) {
      var found = TYPED.matcher(Files.readString(script));
      while (found.find()) {
        seen++;
        problem(found.group(1), found.group(2)).ifPresent(p -> wrong.add(script + ": " + p));
      }
    }

    assertThat(seen).isGreaterThan(40);
    assertThat(wrong).isEmpty();
  }

  private static Optional<String> problem(String verb, String rest) {
    CommandLine command = line().getSubcommands().get(verb);
    if (command == null) return Optional.of("there is no mayfly " + verb);
    var words = rest.strip().split("[ ,.:)]", -1);
    if (command.getSubcommands().containsKey(words[0]))
      command = command.getSubcommands().get(words[0]);
    else if (!command.getSubcommands().isEmpty() && words[0].matches("[a-z][a-z-]+"))
      return Optional.of("there is no mayfly " + verb + " " + words[0]);
    var options = OPTION.matcher(rest.split(" -- ", -1)[0]);
    var named = new HashSet<String>();
    while (options.find())
      if (!has(command, options.group(1)))
        return Optional.of("mayfly " + verb + rest + " has no " + options.group(1));
      else named.add(options.group(1));
    return named.isEmpty()
        ? Optional.empty()
        : missing(command, named).map(o -> "mayfly " + verb + rest + " needs " + o);
  }

  /** What is written with options is to be typed as it stands. */
  private static Optional<String> missing(CommandLine command, Set<String> named) {
    if (named.contains("--help")) return Optional.empty();
    return command.getCommandSpec().options().stream()
        .filter(o -> o.required() && Stream.of(o.names()).noneMatch(named::contains))
        .map(OptionSpec::longestName)
        .findFirst();
  }

  /** Also as the opposite of an option that has one. */
  private static boolean has(CommandLine command, String option) {
    var spec = command.getCommandSpec();
    if (spec.findOption(option) != null) return true;
    var positive = spec.findOption(option.replaceFirst("^--no-", "--"));
    return positive != null && positive.negatable();
  }

  private static CommandLine line() {
    var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    var screen = TestScreen.plain(nowhere, nowhere, 80);
    return Commands.all(
        new CliContext(
            Map.of(),
            screen,
            new ConditionPoller(InstantSource.system(), ConditionPoller::sleep),
            () -> "id"));
  }

  private static List<Path> documents() throws IOException {
    var root = Path.of("..");
    var documents =
        new ArrayList<>(
            List.of(
                root.resolve("README.md"),
                root.resolve("CONTRIBUTING.md"),
                root.resolve("schemas/README.md"),
                root.resolve("terraform/README.md")));
    for (var folder : List.of("docs", "docs/decisions")) documents.addAll(in(root, folder, ".md"));
    try (Stream<Path> examples = Files.list(root.resolve("examples"))) {
      examples.map(e -> e.resolve("README.md")).filter(Files::exists).forEach(documents::add);
    }
    return documents;
  }

  private static List<Path> scripts() throws IOException {
    return in(Path.of(".."), ".ci", "");
  }

  private static List<Path> in(Path root, String folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(folder))) {
      return files
          .filter(Files::isRegularFile)
          .filter(f -> f.toString().endsWith(ending))
          .sorted()
          .toList();
    }
  }
}
