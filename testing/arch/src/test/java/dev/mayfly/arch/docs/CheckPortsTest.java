package dev.mayfly.arch.docs;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks of {@code .ci} and of the examples run at once, so that each has ports of its own. */
class CheckPortsTest {
  private static final Pattern PORT = Pattern.compile("(?m)^port=\\D*(\\d{4})");

  @Test
  void eachCheckHasAPortOfItsOwn() throws IOException {
    var checks = checks();
    assertThat(checks).as("checks with a port").hasSizeGreaterThan(20);

    var byPort = checks.stream().collect(groupingBy(Check::port, mapping(Check::name, toList())));
    byPort.values().removeIf(names -> names.size() == 1);
    assertThat(byPort).as("ports of several checks").isEmpty();
  }

  private record Check(String name, int port) {}

  private static List<Check> checks() throws IOException {
    try (var ci = Files.list(Sources.ROOT.resolve(".ci"));
        var examples = Files.list(Sources.ROOT.resolve("examples"))) {
      var scripts = Stream.concat(ci, examples.map(example -> example.resolve("check.sh")));
      return scripts.filter(Files::isRegularFile).flatMap(CheckPortsTest::portsOf).toList();
    }
  }

  private static Stream<Check> portsOf(Path script) {
    try {
      var name = Sources.ROOT.relativize(script).toString();
      var ports = PORT.matcher(Files.readString(script)).results();
      return ports.map(port -> new Check(name, Integer.parseInt(port.group(1))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
