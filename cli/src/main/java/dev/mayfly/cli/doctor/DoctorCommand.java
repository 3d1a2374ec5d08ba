package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.Style;
import dev.mayfly.gcs.AccessTokenSupplier;
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
public final class DoctorCommand implements Callable<Integer> {
  private static final Pattern PROJECT = Pattern.compile("[a-z][a-z0-9-]{4,28}[a-z0-9]");
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]");

  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();

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

  public DoctorCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    return project.map(this::cloud).orElseGet(this::laptop);
  }

  private int cloud(String name) {
    if (!PROJECT.matcher(name).matches())
      throw new CommandException(
          CommandExitCode.INPUT,
          "--project " + name + ": that is no project's id; gcloud projects list shows them");
    var names = buckets.stream().map(b -> b.replaceFirst("^gs://", "")).toList();
    if (!Stream.concat(regions.stream(), names.stream()).allMatch(n -> NAME.matcher(n).matches()))
      throw new CommandException(
          CommandExitCode.INPUT,
          "a region is written like us-central1, and a bucket like lab-us-central1");
    var checkResults = new ProjectChecks(apis(), name, regions, names, database).checks();
    var screen = cliContext.screen();
    if (commonOptions.json()) commonOptions.json(screen, checkResults);
    else screen.lines(new CheckLines(screen).lines(checkResults));
    return CheckResult.exitCode(checkResults).code();
  }

  private GoogleApis apis() {
    var endpoint =
        Optional.ofNullable(cliContext.env().get("MAYFLY_GOOGLE_ENDPOINT"))
            .filter(e -> !e.isBlank());
    return new GoogleApis(cliContext.http(), endpoint, new AccessTokenSupplier());
  }

  private int laptop() {
    var findings =
        new LaptopChecks(cliContext.env(), cliContext.home(), cliContext.http()).findings();
    var screen = cliContext.screen();
    if (commonOptions.json()) commonOptions.json(screen, findings);
    else
      for (var f : findings) {
        var word =
            switch (f.verdict()) {
              case OK -> screen.paint(Style.GOOD, "ok   ");
              case NOTE -> screen.paint(Style.WARN, "note ");
              case WRONG -> screen.paint(Style.BAD, "WRONG");
            };
        screen.line("%s  %-13s %s".formatted(word, f.about(), f.text()));
      }
    return findings.stream().anyMatch(f -> f.verdict() == LaptopChecks.Verdict.WRONG) ? 2 : 0;
  }
}
