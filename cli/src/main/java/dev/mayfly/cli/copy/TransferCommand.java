package dev.mayfly.cli.copy;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.LocalFolders;
import dev.mayfly.cli.session.TargetCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that copies a file or a folder from one place to another. */
abstract class TransferCommand extends TargetCommand {
  @Parameters(index = "0", paramLabel = "SOURCE", description = "What is copied.")
  String source = "";

  @Parameters(index = "1", paramLabel = "DESTINATION", description = "Where to.")
  String destination = "";

  @Option(
      names = {"-f", "--force"},
      description = "Replaces existing files, and objects where you may delete them.")
  boolean force;

  TransferCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** One end of the copy, as the user wrote it. */
  abstract CopyPlace place(String text);

  @Override
  public final Integer call() {
    var copyProgress = new CopyProgress(cliContext.screen(), cliContext.poller().clock());
    var machines = new MachineFiles(this::program, copyProgress, cliContext.screen()::note);
    var buckets = new BucketFiles(cliContext.objects(), copyProgress, cliContext.screen()::note);
    var from = place(source);
    var to = place(destination);
    var copied =
        switch (from) {
          case CopyPlace.Local local -> send(existing(local), to, machines, buckets);
          case CopyPlace.OnMachine _, CopyPlace.InBucket _ -> {
            if (!(to instanceof CopyPlace.Local local)) yield relay(from, to, machines, buckets);
            var landed = fetch(from, local, machines, buckets);
            yield new Copied(landed.toString(), size(landed));
          }
        };
    copyProgress.done("copied " + source + " to " + copied.where, copied.bytes);
    return 0;
  }

  /** What was copied, measured on this computer: a stream of tar is longer than its files. */
  private record Copied(String where, long bytes) {}

  private static long size(Path copied) {
    try {
      return LocalFolders.size(copied.toRealPath());
    } catch (IOException | UncheckedIOException changed) {
      return 0;
    }
  }

  private static Path existing(CopyPlace.Local local) {
    if (!Files.exists(local.path()))
      throw CommandException.notFound("there is no file or folder " + local.path());
    return local.path();
  }

  private Copied send(Path file, CopyPlace to, MachineFiles machines, BucketFiles buckets) {
    return switch (to) {
      case CopyPlace.Local _ ->
          throw CommandException.input(
              "both places are on this computer; use cp, or write TARGET:PATH or gs://BUCKET/NAME");
      case CopyPlace.OnMachine there -> {
        var landed = machines.send(file, target(there.target()), there.path(), force);
        yield new Copied(there.target() + ":" + landed, size(file));
      }
      case CopyPlace.InBucket there -> {
        var bytes = buckets.send(file, there, force);
        yield new Copied(BucketFiles.place(file, there).toString(), bytes);
      }
    };
  }

  private Path fetch(
      CopyPlace from, CopyPlace.Local to, MachineFiles machines, BucketFiles buckets) {
    var name = from.copyName();
    try (var landing = LocalDestination.open(to, name, force)) {
      fetch(from, landing.staging(), machines, buckets);
      return landing.publish(name);
    }
  }

  private void fetch(CopyPlace from, Path into, MachineFiles machines, BucketFiles buckets) {
    switch (from) {
      case CopyPlace.OnMachine there -> machines.fetch(target(there.target()), there.path(), into);
      case CopyPlace.InBucket there -> buckets.fetch(there, into);
      case CopyPlace.Local _ -> throw new IllegalArgumentException("a local file is not fetched");
    }
  }

  /** A machine may answer with a link to a file of this computer, which is not to be sent on. */
  private static void refuseLink(Path landed, String source) {
    if (Files.isSymbolicLink(landed))
      throw CommandException.input(
          source
              + " is a link, which is not copied between two other places; name what it leads to");
  }

  /** Between two places elsewhere, by a folder of this computer, which must have room for it. */
  private Copied relay(CopyPlace from, CopyPlace to, MachineFiles machines, BucketFiles buckets) {
    try {
      var folder = Files.createTempDirectory("mayfly-cp-");
      try {
        var landing = new CopyPlace.Local(folder, true);
        var landed = fetch(from, landing, machines, buckets);
        refuseLink(landed, source);
        return send(landed, to, machines, buckets);
      } finally {
        LocalDestination.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for the copy can be made: " + e, e);
    }
  }
}
