package dev.mayfly.cli.image;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommandGroup;
import picocli.CommandLine.Command;

/** {@code mayfly image build|push|bake}: the images that tasks and machines start from. */
@Command(
    name = "image",
    description = "Builds and pushes container images, and makes boot images.",
    footer = {
      "",
      "Examples:",
      "  mayfly image build . -f cluster.yaml --push --pin",
      "  mayfly image push -f cluster.yaml --pin",
      "  mayfly image bake lab-docker-1 --family lab-docker --zone us-central1-a --apt docker.io"
    })
public final class ImageCommand extends CommandGroup {
  public ImageCommand(CliContext cliContext) {
    super(cliContext, "build, push or bake");
  }
}
