package dev.mayfly.cli.image;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.error.CommandException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly image push}: copies of an image where workers pull it. */
@Command(
    name = "push",
    description = {
      "Pushes an image to the registries of one or several regions, and prints its digest.",
      "With -f to where the cluster's workers pull it: its image and all mirrors."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly image push -f cluster.yaml --pin",
      "  mayfly image push us-central1-docker.pkg.dev/lab/job/base:1",
      "  mayfly image push REGION-docker.pkg.dev/lab/job/base:1 --region us-central1 --region europe-west4"
    })
public final class ImagePushCommand extends ResultCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "IMAGE",
      description = "Its name with a tag; default: that of the cluster's file.")
  @Nullable String image;

  @Option(
      names = "--source",
      paramLabel = "IMAGE",
      description = "The name that it has on this computer; default: that of the first copy.")
  @Nullable String source;

  @Mixin ImageTarget target = new ImageTarget();

  public ImagePushCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var destinations =
        ImageDestinations.of(Optional.ofNullable(image), target.cluster(), target.regions);
    var engine = ImageEngine.of(target.engine(), cliContext.env());
    if (engine.inCloud())
      throw CommandException.input(
          "Cloud Build pushes what it builds and nothing else; write mayfly image build --engine cloud-build");
    var pusher =
        new ImagePusher(new EngineCommands(engine, Optional.empty()), humanScreen(), target.dryRun);
    var copies =
        pusher.push(
            destinations.names(),
            Optional.ofNullable(source).orElse(destinations.names().getFirst()));
    ImageBuildCommand.tell(humanScreen(), target, destinations, copies);
    showJson(copies);
    return 0;
  }
}
