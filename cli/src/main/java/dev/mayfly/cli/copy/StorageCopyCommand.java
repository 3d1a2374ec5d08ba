package dev.mayfly.cli.copy;

import dev.mayfly.cli.context.CliContext;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;

/** {@code mayfly storage cp}: copies files to and from storage, by its name. */
@Command(
    name = "cp",
    description = {
      "Copies a file or a folder to or from a cluster's storage, through a worker that has it; a"
          + " bucket directly.",
      "It appears at its destination whole or not at all, and replaces nothing without --force."
    },
    footer = {
      "",
      "A place is NAME:PATH with the storage's name and a path in it, or a local path. A local name"
          + " with a colon is written ./a:b. - is standard input or output, which takes one"
          + " file.",
      "",
      "Examples:",
      "  mayfly storage cp datasets/set1 data:datasets/",
      "  mayfly storage cp data:results/last .",
      "  mayfly storage cp data:set1 results:set1"
    })
public final class StorageCopyCommand extends TransferCommand {
  private static final Pattern NAMED =
      Pattern.compile("([a-z](?:[-a-z0-9]{0,40}[a-z0-9])?):(.*)", Pattern.DOTALL);

  public StorageCopyCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  CopyPlace place(String text) {
    var named = NAMED.matcher(text);
    if (!named.matches()) return CopyPlace.of(text, cliContext.folder());
    var where = cluster.name();
    var api = cliContext.api();
    return new NamedStorage(api.cluster(where).spec(), api.workers(where, false))
        .place(named.group(1), named.group(2));
  }
}
