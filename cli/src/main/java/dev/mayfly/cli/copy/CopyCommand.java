package dev.mayfly.cli.copy;

import dev.mayfly.cli.context.CliContext;
import picocli.CommandLine.Command;

/** {@code mayfly cp}: copies files to and from workers, tasks and buckets. */
@Command(
    name = "cp",
    description = {
      "Copies a file or a folder to or from a worker, a task or a bucket.",
      "It appears at its destination whole or not at all, and replaces nothing without --force."
    },
    footer = {
      "",
      "A place is a local path, TARGET:PATH with a TARGET as for mayfly attach, or gs://BUCKET/NAME."
          + " In a task a path begins at the task's folder, on a worker at the home folder; mounts"
          + " have absolute paths. Into an existing folder, or one that ends with a slash, the copy"
          + " goes under its own name. A local name with a colon is written ./a:b."
          + " - is standard input or output, which takes one file or object, byte for byte.",
      "",
      "Examples:",
      "  mayfly cp train:checkpoints/last .",
      "  mayfly cp data.tar WORKER:/mnt/data/",
      "  mayfly cp sweep/3:out gs://BUCKET/out",
      "  mayfly cp gs://BUCKET/out/3.json - | head"
    })
public final class CopyCommand extends TransferCommand {
  public CopyCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  CopyPlace place(String text) {
    return CopyPlace.of(text, cliContext.folder());
  }
}
