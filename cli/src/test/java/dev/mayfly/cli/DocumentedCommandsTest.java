package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.flow.Waiting;
import dev.mayfly.cli.show.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Commands that documents tell people to type are commands that there are. */
class DocumentedCommandsTest {
  /** In code only: {@code mayfly VERB …}, up to the end of the code or of the command. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:`|^ {4,}(?:\\S+=\\S+ )*)(?:\\./)?mayfly ([a-z]+)([^`\\n|;>]*)", Pattern.MULTILINE);

  private static final Pattern OPTION = Pattern.compile("(?:^| )(--?[a-z][a-z-]*)");

  @Test
  void eachCommandAndEachOptionIsKnown() throws IOException {
    var wrong = new ArrayList<String>();
    var seen = 0;
    for (var document : documents()) {
      var found = COMMAND.matcher(Files.readString(document));
      while (found.find()) {
        seen++;
        problem(found.group(1), found.group(2)).ifPresent(p -> wrong.add(document + ": " + p));
      }
    }

    assertThat(seen).isGreaterThan(40);
    assertThat(wrong).isEmpty();
  }

  private static java.util.Optional<String> problem(String verb, String rest) {
    CommandLine command = line().getSubcommands().get(verb);
    if (command == null) return java.util.Optional.of("there is no mayfly " + verb);
    var words = rest.strip().split(" ", -1);
    if (command.getSubcommands().containsKey(words[0]))
      command = command.getSubcommands().get(words[0]);
    var options = OPTION.matcher(rest.split(" -- ", -1)[0]);
    while (options.find())
      if (command.getCommandSpec().findOption(options.group(1)) == null)
        return java.util.Optional.of("mayfly " + verb + rest + " has no " + options.group(1));
    return java.util.Optional.empty();
  }

  private static CommandLine line() {
    var nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    var screen = new Screen(nowhere, nowhere, false, false, 80);
    return Verbs.all(
        new Session(
            Map.of(), screen, new Waiting(InstantSource.system(), Waiting::sleep), () -> "id"));
  }

  private static List<Path> documents() throws IOException {
    var root = Path.of("..");
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      return Stream.concat(
              Stream.of(root.resolve("README.md"), root.resolve("terraform/README.md")),
              docs.filter(d -> d.toString().endsWith(".md")))
          .toList();
    }
  }
}
