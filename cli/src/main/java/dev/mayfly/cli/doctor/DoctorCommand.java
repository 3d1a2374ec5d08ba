package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.Style;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.gcs.AccessTokenSupplier;
import dev.mayfly.wire.UserDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly doctor}: checks this machine or a project. */
@Command(
    name = "doctor",
    description =
        "Checks Java, the build, ports, disk, memory, gcloud and the laptop cloud; with --project,"
            + " a Google Cloud project. Changes nothing.",
    footer = {
      "",
      "Exit codes: 0 no problem, 2 problems that you can fix, 77 an administrator must grant a"
          + " right, 75 Google does not answer.",
      "MAYFLY_GOOGLE_ENDPOINT overrides Google's endpoints; it serves each API below its name.",
      "",
      "Examples:",
      "  mayfly doctor",
      "  mayfly doctor --project lab-batch --region us-central1",
      "  mayfly doctor --project lab-batch --cluster cluster.yaml --bucket lab-us-central1"
    })
public final class DoctorCommand extends ResultCommand {
  private static final Pattern PROJECT = Pattern.compile("[a-z][a-z0-9-]{4,28}[a-z0-9]");
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]");

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      description = "Checks this project instead: APIs, rights, quotas, buckets, the deployment.")
  Optional<String> project = Optional.empty();

  @Option(
      names = "--region",
      paramLabel = "REGION",
      defaultValue = "us-central1",
      description = "Region whose quotas are checked; may be repeated (us-central1).")
  List<String> regions = List.of();

  @Option(
      names = "--bucket",
      paramLabel = "BUCKET",
      description = "A cluster's bucket to check; may be repeated.")
  List<String> buckets = List.of();

  @Option(
      names = "--cluster",
      paramLabel = "FILE",
      description = "A file with clusters whose machines the quotas must allow; may be repeated.")
  List<String> clusterFiles = List.of();

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "Sets the variable {name} in these files.")
  List<String> variables = new ArrayList<>();

  @Option(
      names = "--database",
      paramLabel = "NAME",
      defaultValue = "mayfly",
      description = "The Firestore database (mayfly).")
  String database = "mayfly";

  public DoctorCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    return project.map(this::cloud).orElseGet(this::laptop);
  }

  private int cloud(String name) {
    if (!PROJECT.matcher(name).matches())
      throw CommandException.input(
          "--project " + name + " is not a project id; gcloud projects list shows them");
    var names = buckets.stream().map(b -> b.replaceFirst("^gs://", "")).toList();
    if (!Stream.concat(regions.stream(), names.stream()).allMatch(n -> NAME.matcher(n).matches()))
      throw CommandException.input(
          "a region is written like us-central1, and a bucket like lab-us-central1");
    var checkResults =
        new ProjectChecks(apis(name), name, regions, names, database, clusters()).checks();
    var screen = cliContext.screen();
    show(checkResults, () -> screen.lines(new CheckLines(screen).lines(checkResults)));
    return CheckResult.exitCode(checkResults).code();
  }

  private List<ClusterSpec> clusters() {
    var set = DocumentFile.variables(variables, "--var ");
    DocumentFile.checkVariables(set, clusterFiles);
    return clusterFiles.stream()
        .flatMap(file ->
            UserDocuments.parse(DocumentFile.bytes(file), DocumentFile.label(file), set).stream())
        .flatMap(document ->
            document.command() instanceof UserCommand.ApplyCluster apply
                ? Stream.of(apply.spec())
                : Stream.<ClusterSpec>empty())
        .toList();
  }

  private GoogleApis apis(String name) {
    return new GoogleApis(
        name,
        cliContext.http(),
        cliContext.setting("MAYFLY_GOOGLE_ENDPOINT"),
        new AccessTokenSupplier());
  }

  /** What is found on this computer, a line each. */
  public static List<String> findings(CliContext cliContext) {
    return checks(cliContext).stream()
        .map(it -> "%s  %s: %s".formatted(it.verdict(), it.about(), it.text()))
        .toList();
  }

  private static List<LaptopChecks.Finding> checks(CliContext cliContext) {
    return new LaptopChecks(cliContext.env(), cliContext.home(), cliContext.http()).findings();
  }

  private int laptop() {
    var findings = checks(cliContext);
    show(findings, () -> findings.forEach(this::print));
    return findings.stream().anyMatch(f -> f.verdict() == LaptopChecks.Verdict.WRONG) ? 2 : 0;
  }

  private void print(LaptopChecks.Finding finding) {
    var screen = cliContext.screen();
    var word =
        switch (finding.verdict()) {
          case OK -> screen.paint(Style.GOOD, "ok   ");
          case NOTE -> screen.paint(Style.WARN, "note ");
          case WRONG -> screen.paint(Style.BAD, "WRONG");
        };
    screen.line("%s  %-13s %s".formatted(word, finding.about(), finding.text()));
  }
}
