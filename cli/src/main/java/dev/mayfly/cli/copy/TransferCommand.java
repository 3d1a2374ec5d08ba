package dev.mayfly.cli.copy;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.files.LocalFolders;
import dev.mayfly.cli.session.TargetCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that copies a file or a folder from one place to another. */
abstract class TransferCommand extends TargetCommand {
  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description = "What is copied; - is standard input.")
  String source = "";

  @Parameters(
      index = "1",
      paramLabel = "DESTINATION",
      description = "Where to; - is standard output.")
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
    if (to instanceof CopyPlace.Standard && cliContext.screen().terminal())
      throw CommandException.input(
          "a terminal would obey what is in the file; write it into a file or a program: mayfly cp %s - | less"
              .formatted(source));
    var copied =
        switch (from) {
          case CopyPlace.Local local -> send(existing(local), to, machines, buckets);
          case CopyPlace.Standard _ -> upload(to, machines, buckets);
          case CopyPlace.OnMachine _, CopyPlace.InBucket _ ->
              switch (to) {
                case CopyPlace.Local local -> {
                  var landed = fetch(from, local, machines, buckets);
                  yield new Copied(landed.toString(), size(landed));
                }
                case CopyPlace.Standard _ -> print(from, machines, buckets);
                case CopyPlace.OnMachine _, CopyPlace.InBucket _ ->
                    relay(from, to, machines, buckets);
              };
        };
    // A reader that wants no more has not got all of it.
    if (!(to instanceof CopyPlace.Standard) || !cliContext.screen().out().checkError())
      copyProgress.done("copied " + source + " to " + copied.where, copied.bytes);
    return 0;
  }

  /** What is read for a source that is {@code -}. */
  InputStream standardInput() {
    return System.in;
  }

  private StandardStreams standard() {
    return new StandardStreams(standardInput(), cliContext.screen().out());
  }

  private Copied upload(CopyPlace to, MachineFiles machines, BucketFiles buckets) {
    if (to instanceof CopyPlace.Local || to instanceof CopyPlace.Standard) throw bothHere();
    return inFolder(folder -> send(standard().received(folder, to), to, machines, buckets));
  }

  /** An object as it comes; a file of a machine when all of it is here. */
  private Copied print(CopyPlace from, MachineFiles machines, BucketFiles buckets) {
    var standard = standard();
    if (from instanceof CopyPlace.InBucket there)
      return new Copied(destination, buckets.print(there, standard));
    return inFolder(folder -> {
      fetch(from, folder, machines, buckets);
      return new Copied(destination, standard.sendOnly(folder, source));
    });
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
      case CopyPlace.Local _, CopyPlace.Standard _ -> throw bothHere();
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

  private static CommandException bothHere() {
    return CommandException.input(
        "both places are on this computer; use cp, or write TARGET:PATH or gs://BUCKET/NAME");
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
      case CopyPlace.Local _, CopyPlace.Standard _ ->
          throw new IllegalArgumentException("what is here is not fetched");
    }
  }

  /** A machine may answer with a link to a file of this computer, which is not to be sent on. */
  private static void refuseLink(Path landed, String source) {
    if (Files.isSymbolicLink(landed))
      throw CommandException.input(
          source
              + " is a link, which is not copied between two other places; name what it leads to");
  }

  /** Between two places elsewhere. */
  private Copied relay(CopyPlace from, CopyPlace to, MachineFiles machines, BucketFiles buckets) {
    return inFolder(folder -> {
      var landed = fetch(from, new CopyPlace.Local(folder, true), machines, buckets);
      refuseLink(landed, source);
      return send(landed, to, machines, buckets);
    });
  }

  /** By a folder of this computer, which must have room for all of it. */
  private static Copied inFolder(Function<Path, Copied> copy) {
    try {
      var folder = Files.createTempDirectory("mayfly-cp-");
      try {
        return copy.apply(folder);
      } finally {
        LocalDestination.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for the copy can be made: " + e, e);
    }
  }
}
