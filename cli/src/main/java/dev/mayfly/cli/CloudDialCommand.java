package dev.mayfly.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code mayfly local quota|refusals|boot-delay|lost-replies|rate-limit|silent}: a limit or fault
 * of the cloud.
 */
@Command(
    description = "Sets a limit or a fault of the laptop cloud.",
    footer = {
      "",
      "Examples:",
      "  mayfly local quota cpus=8",
      "  mayfly local quota gpus=0 region=us-east1",
      "  mayfly local tpu-reservation name=r1 chips=64",
      "  mayfly local refusals style=bare",
      "  mayfly local boot-delay ms=5000",
      "  mayfly local lost-replies next=3 prefix=/compute/",
      "  mayfly local rate-limit next=10"
    })
final class CloudDialCommand implements Callable<Integer> {
  private final Session session;
  private final String dial;
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME=VALUE",
      description = "The dial's settings; none takes a limit away.")
  String[] settings = {};

  CloudDialCommand(Session session, String dial) {
    this.session = session;
    this.dial = dial;
  }

  @Override
  public Integer call() {
    var told = new TreeMap<>(Document.variables(Arrays.asList(settings), ""));
    session.dials().turn(dial, told);
    session
        .screen()
        .line(String.join(" ", told.isEmpty() ? List.of(dial, "has no limit") : told(told)));
    return 0;
  }

  private List<String> told(Map<String, String> set) {
    return Stream.concat(Stream.of(dial, "is set:"), set.entrySet().stream().map(Object::toString))
        .toList();
  }
}
