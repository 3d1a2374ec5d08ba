package dev.mayfly.cli;

import dev.mayfly.cli.flow.Checkup;
import dev.mayfly.cli.show.Tone;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly doctor}: what is in the way. */
@Command(
    name = "doctor",
    description =
        "Looks for what is in the way: Java, the build, ports, disk, memory, gcloud, the laptop cloud.",
    footer = {"", "Ends with 0 if nothing is in the way.", "", "Example:", "  mayfly doctor"})
final class DoctorCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();

  DoctorCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var findings = new Checkup(session.env(), session.home(), session.http()).findings();
    var screen = session.screen();
    if (common.json()) common.json(screen, findings);
    else
      for (var f : findings) {
        var word =
            switch (f.verdict()) {
              case OK -> screen.paint(Tone.GOOD, "ok   ");
              case NOTE -> screen.paint(Tone.WARN, "note ");
              case WRONG -> screen.paint(Tone.BAD, "WRONG");
            };
        screen.line("%s  %-13s %s".formatted(word, f.about(), f.text()));
      }
    return findings.stream().anyMatch(f -> f.verdict() == Checkup.Verdict.WRONG) ? 2 : 0;
  }
}
