package dev.mayfly.cli.image;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.context.ShellQuoting;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.session.ForegroundProcess;
import dev.mayfly.cli.session.LocalProgram;
import dev.mayfly.wire.text.DurationFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly image bake}: a boot image for {@code machine.image} of pools. */
@Command(
    name = "bake",
    description = {
      "Makes a boot image on Google Cloud, with gcloud and your own login.",
      "",
      "With --disk it is made from the disk of a stopped machine. Otherwise a machine starts",
      "from --base, installs --apt, pulls --pull, and is deleted when the image is made."
    },
    footer = {
      "",
      "The machine has no external address: it reaches packages through the subnet's NAT.",
      "",
      "Examples:",
      "  mayfly image bake lab-docker-1 --family lab-docker --zone us-central1-a --apt docker.io",
      "  mayfly image bake lab-2 --zone us-central1-a --disk my-machine --dry-run"
    })
public final class ImageBakeCommand extends ResultCommand {
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,55}[a-z0-9])?");
  private static final Pattern ZONE = Pattern.compile("[a-z]+(-[a-z]+)+[0-9]{1,2}-[a-z]");
  private static final Pattern BASE =
      Pattern.compile(
          "projects/[-a-z0-9.:]{1,80}/global/images/(family/)?[a-z][-a-z0-9]{0,61}[a-z0-9]");
  private static final Pattern SUBNET =
      Pattern.compile("(projects/[-a-z0-9.:/]{1,160}/)?[a-z][-a-z0-9]{0,62}");
  private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9-]+@[a-z0-9.-]+");
  private static final Pattern PACKAGE = Pattern.compile("[a-z0-9][a-z0-9.+-]{0,100}");
  private static final Pattern IMAGE =
      Pattern.compile("[a-z0-9][-A-Za-z0-9._:/]{0,400}(@sha256:[0-9a-f]{64})?");
  private static final Duration PAUSE = Duration.ofSeconds(10);

  @Parameters(index = "0", paramLabel = "NAME", description = "The image's name, never reused.")
  String name = "";

  @Option(
      names = "--zone",
      required = true,
      paramLabel = "ZONE",
      description = "Zone of the machine.")
  String zone = "";

  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      description = "Image family; machine.image may be .../family/FAMILY.")
  @Nullable String family;

  @Option(
      names = "--disk",
      paramLabel = "DISK",
      description = "The disk of a stopped machine; it mostly has the machine's name.")
  @Nullable String disk;

  @Option(
      names = "--base",
      paramLabel = "IMAGE",
      defaultValue = "projects/debian-cloud/global/images/family/debian-12",
      description = "What the machine starts from (default: Debian 12).")
  String base = "";

  @Option(
      names = "--apt",
      split = ",",
      paramLabel = "PACKAGE",
      description = "Packages to install.")
  List<String> apt = new ArrayList<>();

  @Option(
      names = "--pull",
      paramLabel = "IMAGE",
      description = "Container image to pull into the boot image; may be repeated.")
  List<String> pull = new ArrayList<>();

  @Option(
      names = "--machine-type",
      paramLabel = "TYPE",
      defaultValue = "e2-standard-2",
      description = "Default: e2-standard-2.")
  String machineType = "";

  @Option(
      names = "--disk-gb",
      paramLabel = "GB",
      defaultValue = "50",
      description = "Disk size, the minimum for machines with this image (default: 50).")
  int diskGb;

  @Option(
      names = "--subnet",
      paramLabel = "SUBNET",
      defaultValue = "mayfly",
      description = "Default: mayfly.")
  String subnet = "";

  @Option(
      names = "--service-account",
      paramLabel = "ACCOUNT",
      description = "Service account that pulls from private registries (default: none).")
  @Nullable String account;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30m",
      description = "Time limit for the installation (default: 30m).")
  Duration timeout = Duration.ofMinutes(30);

  @Option(names = "--dry-run", description = "Prints the commands and runs none.")
  boolean dryRun;

  public ImageBakeCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** The image, as JSON. */
  record Baked(String image) {}

  @Override
  public Integer call() {
    check();
    var gcloud =
        LocalProgram.find(cliContext.env(), "gcloud")
            .orElseThrow(() ->
                CommandException.input(
                    "gcloud is not on the PATH, and makes the image; install it from https://cloud.google.com/sdk"));
    var project = cliContext.setting("MAYFLY_PROJECT");
    var steps = new BakeSteps(gcloud, name, Optional.ofNullable(family), zone, project);
    if (disk == null) fromRecipe(steps);
    else run(steps.image(disk));
    if (dryRun) return 0;
    var image =
        "projects/%s/global/images/%s"
            .formatted(project.orElse("PROJECT"), family == null ? name : "family/" + family);
    humanScreen().line("machines start from it with machine.image: " + image);
    showJson(new Baked(image));
    return 0;
  }

  private void fromRecipe(BakeSteps steps) {
    var text = BakeScript.of(apt, pull);
    try {
      var script = Files.createTempFile("mayfly-bake", ".sh");
      try {
        Files.writeString(script, text);
        if (dryRun) text.lines().forEach(line -> humanScreen().line("# " + line));
        var machine =
            new BakeSteps.Machine(
                machineType, base, Optional.of(subnet), diskGb, Optional.ofNullable(account));
        run(steps.create(machine, script));
        try {
          awaitEnd(steps);
          run(steps.image(steps.machine()));
        } finally {
          run(steps.delete());
        }
      } finally {
        Files.deleteIfExists(script);
      }
    } catch (IOException e) {
      throw new CommandException(
          CommandExitCode.UNAVAILABLE, "no temporary file can be written: " + e, e);
    }
  }

  /** Waits until the machine has powered itself off, or says on its console that it can't. */
  private void awaitEnd(BakeSteps steps) {
    if (dryRun) {
      humanScreen().line(ShellQuoting.line(steps.status()) + " # until it is TERMINATED");
      return;
    }
    humanScreen().note("machine " + steps.machine() + " installs; this takes some minutes");
    var end =
        cliContext
            .poller()
            .until(timeout, PAUSE, () -> probe(steps))
            .orElse("is not done after %s; see --timeout".formatted(DurationFormat.write(timeout)));
    if (!end.isEmpty())
      throw new CommandException(
          CommandExitCode.UNAVAILABLE,
          "machine %s %s; no image was made".formatted(steps.machine(), end));
  }

  /** What went wrong, or an empty text if the machine is done. */
  private Optional<String> probe(BakeSteps steps) {
    var status = ForegroundProcess.capture(new LocalProgram(steps.status()), humanScreen()::note);
    if (status.output().strip().equals("TERMINATED")) return Optional.of("");
    if (status.code() != 0 || !status.output().strip().equals("RUNNING")) return Optional.empty();
    var console =
        ForegroundProcess.capture(new LocalProgram(steps.console()), humanScreen()::note).output();
    if (!console.contains(BakeScript.FAILED)) return Optional.empty();
    var lines = console.lines().toList();
    var last = lines.subList(Math.max(0, lines.size() - 15), lines.size());
    return Optional.of("could not install everything:\n" + String.join("\n", last));
  }

  private void run(List<String> argv) {
    if (dryRun) {
      humanScreen().line(ShellQuoting.line(argv));
      return;
    }
    var captured = ForegroundProcess.capture(new LocalProgram(argv), humanScreen()::note);
    captured.output().lines().forEach(humanScreen()::note);
    if (captured.code() != 0)
      throw new CommandException(
          CommandExitCode.INPUT,
          "%s ended with %d; see the lines above"
              .formatted(ShellQuoting.line(argv), captured.code()));
  }

  private void check() {
    fits(NAME, name, "NAME", "lab-docker-1, in lower-case letters");
    fits(ZONE, zone, "--zone", "us-central1-a");
    if (family != null) fits(NAME, family, "--family", "lab-docker");
    if (disk != null) {
      fits(NAME, disk, "--disk", "my-machine");
      if (!apt.isEmpty() || !pull.isEmpty())
        throw CommandException.input(
            "--disk takes a disk as it is; leave out --apt and --pull, or --disk");
    } else if (apt.isEmpty() && pull.isEmpty())
      throw CommandException.input(
          "there is nothing to bake; write --apt docker.io, --pull IMAGE, or --disk DISK");
    fits(BASE, base, "--base", "projects/debian-cloud/global/images/family/debian-12");
    fits(SUBNET, subnet, "--subnet", "mayfly");
    fits(NAME, machineType, "--machine-type", "e2-standard-2");
    if (account != null)
      fits(ACCOUNT, account, "--service-account", "baker@lab.iam.gserviceaccount.com");
    apt.forEach(word -> fits(PACKAGE, word, "--apt", "docker.io"));
    pull.forEach(word -> fits(IMAGE, word, "--pull", "us-central1-docker.pkg.dev/lab/job/base:1"));
  }

  private static void fits(Pattern form, String value, String where, String like) {
    if (!form.matcher(value).matches())
      throw CommandException.input(
          "%s: '%s' does not fit; write it like %s".formatted(where, value, like));
  }
}
