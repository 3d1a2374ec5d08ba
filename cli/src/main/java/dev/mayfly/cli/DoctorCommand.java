package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.flow.Checkup;
import dev.mayfly.cli.preflight.Check;
import dev.mayfly.cli.preflight.Preflight;
import dev.mayfly.cli.reach.GoogleApis;
import dev.mayfly.cli.show.CheckLines;
import dev.mayfly.cli.show.Tone;
import dev.mayfly.gcs.GoogleLogin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly doctor}: what is in the way. */
@Command(
    name = "doctor",
    description =
        "Looks for what is in the way: Java, the build, ports, disk, memory, gcloud, the laptop cloud; with --project, a project of Google Cloud. Changes nothing.",
    footer = {
      "",
      "Ends with 0 if nothing is in the way, 2 if you can mend it, 77 if somebody has to grant a right, 75 if Google does not answer.",
      "MAYFLY_GOOGLE_ENDPOINT names another place that serves Google's APIs, each below its name.",
      "",
      "Examples:",
      "  mayfly doctor",
      "  mayfly doctor --project lab-batch --region us-central1 --bucket lab-us-central1"
    })
final class DoctorCommand implements Callable<Integer> {
  private static final Pattern PROJECT = Pattern.compile("[a-z][a-z0-9-]{4,28}[a-z0-9]");
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]");

  private final Session session;
  @Mixin Common common = new Common();

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      description =
          "Looks at this project instead: APIs, rights, quotas, buckets, what is deployed.")
  Optional<String> project = Optional.empty();

  @Option(
      names = "--region",
      paramLabel = "REGION",
      defaultValue = "us-central1",
      description = "Whose quotas are looked at; may be repeated. us-central1 unless told.")
  List<String> regions = List.of();

  @Option(
      names = "--bucket",
      paramLabel = "BUCKET",
      description = "A cluster's bucket to look at; may be repeated.")
  List<String> buckets = List.of();

  @Option(
      names = "--database",
      paramLabel = "NAME",
      defaultValue = "mayfly",
      description = "The Firestore database; mayfly unless told.")
  String database = "mayfly";

  DoctorCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return project.map(this::cloud).orElseGet(this::laptop);
  }

  private int cloud(String name) {
    if (!PROJECT.matcher(name).matches())
      throw new Refusal(
          Exit.INPUT,
          "--project " + name + ": that is no project's id; gcloud projects list shows them");
    var names = buckets.stream().map(b -> b.replaceFirst("^gs://", "")).toList();
    if (!Stream.concat(regions.stream(), names.stream()).allMatch(n -> NAME.matcher(n).matches()))
      throw new Refusal(
          Exit.INPUT, "a region is written like us-central1, and a bucket like lab-us-central1");
    var checks = new Preflight(apis(), name, regions, names, database).checks();
    var screen = session.screen();
    if (common.json()) common.json(screen, checks);
    else screen.lines(new CheckLines(screen).lines(checks));
    return Check.exit(checks).code();
  }

  private GoogleApis apis() {
    var endpoint =
        Optional.ofNullable(session.env().get("MAYFLY_GOOGLE_ENDPOINT")).filter(e -> !e.isBlank());
    return new GoogleApis(session.http(), endpoint, new GoogleLogin());
  }

  private int laptop() {
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
