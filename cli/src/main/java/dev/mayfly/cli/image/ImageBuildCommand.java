package dev.mayfly.cli.image;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.model.cluster.ClusterSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly image build}: a container image from a recipe or a Dockerfile. */
@Command(
    name = "build",
    description = {
      "Builds the image of jobs from image.yaml or a Dockerfile, for x86-64.",
      "",
      "image.yaml has base, cuda, python, apt, pip and requirements; all are optional.",
      "With -f the CUDA version is checked against the drivers of the cluster's pools."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly image build . -f cluster.yaml",
      "  mayfly image build image.yaml --print",
      "  mayfly image build . -f cluster.yaml --push --pin",
      "  mayfly image build . --tag us-central1-docker.pkg.dev/lab/job/base:1 --engine cloud-build"
    })
public final class ImageBuildCommand extends ResultCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PATH",
      description = "A recipe, a Dockerfile, or a folder with one (default: this one).")
  Path path = Path.of(".");

  @Option(
      names = {"-t", "--tag"},
      paramLabel = "IMAGE",
      description = "The image's name and tag; default: that of the cluster's file.")
  @Nullable String tag;

  @Option(names = "--push", description = "Pushes it too; Cloud Build always does.")
  boolean push;

  @Option(names = "--print", description = "Prints the Dockerfile and builds nothing.")
  boolean print;

  @Mixin ImageTarget target = new ImageTarget();

  public ImageBuildCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    try (var source = BuildSource.of(path)) {
      var cluster = target.cluster();
      checkDrivers(source, cluster);
      if (print) {
        cliContext.screen().line(source.text().stripTrailing());
        return 0;
      }
      var destinations = ImageDestinations.of(Optional.ofNullable(tag), cluster, target.regions);
      var copies = build(source, destinations);
      tell(humanScreen(), target, destinations, copies);
      showJson(copies);
      return 0;
    } catch (IOException e) {
      throw new CommandException(
          CommandExitCode.UNAVAILABLE, "no temporary folder can be written: " + e, e);
    }
  }

  private List<ImagePusher.Copy> build(BuildSource source, ImageDestinations destinations)
      throws IOException {
    var engine = ImageEngine.of(target.engine(), cliContext.env());
    var commands = new EngineCommands(engine, cliContext.setting("MAYFLY_PROJECT"));
    var pusher = new ImagePusher(commands, humanScreen(), target.dryRun);
    var names = destinations.names();
    if (engine.inCloud()) {
      var region = ImageDestinations.region(names.getFirst());
      var config = source.config(EngineCommands.cloudBuild(source.relative(), names));
      pusher.run(
          commands.submit(source.context(), config, region),
          "gcloud builds list --ongoing and its log page say more");
      return pusher.pushed(names);
    }
    pusher.run(
        commands.build(source.dockerfile(), source.context(), names),
        "correct " + DocumentFile.label(path.toString()));
    if (push || target.pin) return pusher.push(names, names.getFirst());
    return names.stream().map(n -> new ImagePusher.Copy(n, Optional.empty())).toList();
  }

  private void checkDrivers(BuildSource source, Optional<ClusterSpec> cluster) {
    if (source.cuda().isEmpty() || cluster.isEmpty()) return;
    var check = DriverCheck.of(source.cuda().get(), cluster.get());
    check.notes().forEach(humanScreen()::note);
    if (!check.errors().isEmpty()) throw CommandException.input(String.join("\n", check.errors()));
  }

  /** Tells the digest, and writes it into the cluster's file if that is wanted. */
  static void tell(
      Screen screen,
      ImageTarget target,
      ImageDestinations destinations,
      List<ImagePusher.Copy> copies) {
    if (target.dryRun) return;
    for (var copy : copies)
      screen.line(
          copy.digest().map(d -> copy.image() + "@" + d).orElse(copy.image() + " is built"));
    var digest = copies.getFirst().digest();
    if (digest.isEmpty() || !target.pin) return;
    target.writePin(destinations.written(), digest.get());
    screen.line("%s has the digest now; mayfly up applies it".formatted(target.file));
  }
}
