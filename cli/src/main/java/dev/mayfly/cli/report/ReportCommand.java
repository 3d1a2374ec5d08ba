package dev.mayfly.cli.report;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.doctor.DoctorCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.files.WholeFiles;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly report}: everything about a job, in one file. */
@Command(
    name = "report",
    description = {
      "Writes all that is known of a job into one file, for a report of a problem.",
      "It has the documents of the job and its cluster, why it is as it is, tasks without success,"
          + " events, a timeline, the last lines of logs of failed attempts, versions, checks and"
          + " settings."
    },
    footer = {
      "",
      "Values of the environment, tokens and signatures are left out; README.txt in the file says of"
          + " each what and why, what is missing, and what is in it in part only. Nothing is sent"
          + " anywhere. While the control plane is away, the file has what is on this computer.",
      "",
      "Examples:",
      "  mayfly report train",
      "  mayfly report train --to /tmp/train.zip --with-env"
    })
public final class ReportCommand extends ClusterCommand {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final String END = ".zip";

  @Parameters(
      index = "0",
      paramLabel = "JOB",
      description = "Its name, OWNER/NAME or uid; a name means the newest job that has it.")
  String job = "";

  @Option(
      names = "--to",
      paramLabel = "FILE.zip",
      description = "The file to write (mayfly-report-JOB-TIME.zip in this folder).")
  Optional<String> to = Optional.empty();

  @Option(names = "--with-env", description = "Keeps values of the environment.")
  boolean withEnv;

  @Option(names = "--force", description = "Replaces an existing file.")
  boolean force;

  public ReportCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** As JSON. */
  record Written(
      String file, long bytes, List<String> missing, List<String> cut, List<String> leftOut) {}

  @Override
  public Integer call() {
    var at = cliContext.now();
    var plain = job.replaceAll("[^A-Za-z0-9_.-]", "-");
    var name = "mayfly-report-%s-%s".formatted(plain, STAMP.format(at));
    var file = cliContext.folder().resolve(to.orElse(name + END)).normalize();
    if (!file.toString().endsWith(END))
      throw CommandException.input("--to: the file is a zip; write %s%s".formatted(file, END));
    var secrets = new ReportSecrets();
    var files = new ReportFiles(secrets);
    own(files);
    cluster(files)
        .ifPresent(in -> new ReportedJob(cliContext, files, secrets, withEnv).read(in, job));
    var title = "Mayfly's report of job %s, %s".formatted(job, at);
    var zip = files.zip(name, title, at, withEnv);
    write(file, zip);
    var written =
        new Written(file.toString(), zip.length, files.missing(), files.cuts(), secrets.lines());
    show(written, () -> say(written));
    return 0;
  }

  /** What this computer knows by itself. */
  private void own(ReportFiles files) {
    files.text(
        "version.txt",
        "mayfly %s, Java %s, %s %s\n"
            .formatted(
                Optional.ofNullable(getClass().getPackage().getImplementationVersion())
                    .orElse("(not packaged)"),
                Runtime.version(),
                System.getProperty("os.name"),
                System.getProperty("os.arch")));
    files.text("settings.txt", settings());
    files
        .part("checks of this computer (mayfly doctor)", () -> DoctorCommand.findings(cliContext))
        .ifPresent(lines -> files.text("doctor.txt", String.join("\n", lines) + "\n"));
    ControlLogs.of(cliContext.home()).forEach(files::text);
  }

  private String settings() {
    var settings = new TreeMap<String, String>();
    for (var variable : cliContext.env().entrySet())
      if (variable.getKey().startsWith("MAYFLY_"))
        settings.put(variable.getKey(), variable.getValue());
    var text = new StringBuilder();
    settings.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text.isEmpty() ? "no variable begins with MAYFLY_\n" : text.toString();
  }

  /** Empty while the control plane is away; a job that is not there is an error as ever. */
  private Optional<String> cluster(ReportFiles files) {
    try {
      return Optional.of(cluster.ofJob(job));
    } catch (UnavailableException | DeniedException away) {
      return files.part(
          "all that the control plane knows of the job and its cluster, and the job's logs",
          () -> {
            throw away;
          });
    }
  }

  private void write(Path file, byte[] zip) {
    var folder = Optional.ofNullable(file.getParent()).orElse(cliContext.folder());
    try {
      WholeFiles.write(folder, Map.of(String.valueOf(file.getFileName()), zip), force);
    } catch (FileAlreadyExistsException there) {
      throw CommandException.input(file + " is there already; write --force to replace it", there);
    } catch (IOException unwritable) {
      throw new CommandException(
          CommandExitCode.INPUT,
          "cannot write " + file + ": " + unwritable.getMessage(),
          unwritable);
    }
  }

  private void say(Written written) {
    var screen = cliContext.screen();
    screen.line(written.file() + ", " + HumanFormat.bytes(written.bytes()));
    written.missing().forEach(what -> screen.note("missing: " + what));
    written.cut().forEach(what -> screen.note("in part only: " + what));
    if (!written.leftOut().isEmpty())
      screen.note("left out, as README.txt in it says: " + String.join("; ", written.leftOut()));
    screen.note(
        "look into it before you send it: tasks may have printed what is nobody's business");
  }
}
