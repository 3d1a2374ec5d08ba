package dev.mayfly.cli.copy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.cli.session.ErrorLines;
import dev.mayfly.cli.session.LocalProgram;
import dev.mayfly.cli.session.SessionTarget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Files of a machine, as a stream of tar through the command that runs there. It is written beside
 * its destination and moved when it is complete.
 *
 * <p>An archive has links as links, so those that lead out of a folder are told.
 *
 * @param programs run a command at a target
 */
record MachineFiles(
    BiFunction<SessionTarget, List<String>, LocalProgram> programs,
    CopyProgress copyProgress,
    Consumer<String> messages) {
  /** Ended by SIGPIPE. */
  private static final int BROKEN_PIPE = 141;

  private static final Set<CommandExitCode> SHARED =
      Set.of(
          CommandExitCode.INPUT,
          CommandExitCode.NOT_FOUND,
          CommandExitCode.UNAVAILABLE,
          CommandExitCode.DENIED);

  private static final String COMMON =
      """
      fail() { printf 'mayfly: %s\\n' "$2" >&2; exit "$1"; }
      command -v tar >/dev/null 2>&1 || fail 2 'there is no tar there, which copying needs; with an image, install it in the image'
      """;

  private static final String SEND =
      COMMON
          + """
          place=$1
          [ -e "$place" ] || fail 4 "there is no file or folder $place"
          if [ -L "$place" ]; then place=$(readlink -f -- "$place"); fi
          if [ -d "$place" ]; then place=$(cd -- "$place" && pwd -P) || exit 4; fi
          [ "$place" != / ] || fail 2 'the whole machine is too much; name a folder of it'
          exec tar -cf - -C "$(dirname -- "$place")" -- "$(basename -- "$place")"
          """;

  private static final String RECEIVE =
      COMMON
          + """
          place=$1 name=$2 force=$3 sent=$4
          if [ -d "$place" ]; then place=${place%/}/$name; else
            case $place in */) fail 4 "there is no folder $place" ;; esac
          fi
          folder=$(dirname -- "$place")
          [ -d "$folder" ] || fail 4 "there is no folder $folder"
          if [ -e "$place" ] || [ -L "$place" ]; then
            if [ -d "$place" ] && [ ! -L "$place" ]; then fail 2 "$place is a folder, which is never replaced; delete it, or name another place"; fi
            [ "$force" = yes ] || fail 2 "$place exists; --force replaces a file"
          fi
          new=$(mktemp -d "$folder/.mayfly-cp-XXXXXX") || exit 2
          trap 'rm -rf -- "$new"' EXIT
          trap 'exit 130' HUP INT TERM
          tar -xof - -C "$new" || fail 75 'the copy is not complete, and nothing of it is kept'
          mv -f -- "$new/$sent" "$place" && printf '\\n%s\\n' "$place"
          """;

  /** Copies a file or folder of the machine into a local folder, under its own name. */
  void fetch(SessionTarget target, String path, Path into) {
    var from = programs.apply(target, List.of("sh", "-c", SEND, "mayfly", path));
    var to = new LocalProgram(List.of("tar", "-xof", "-", "-C", into.toString()));
    pipe(from, to);
    tellOfLinks(into);
  }

  /**
   * Copies a local file or folder to the machine, or what the link at {@code source} leads to, and
   * returns its place there.
   *
   * @param path where to; in an existing folder it gets the source's name
   */
  String send(Path source, SessionTarget target, String path, boolean force) {
    var real = real(source);
    if (Files.isDirectory(real)) tellOfLinks(real);
    var parent = real.getParent();
    if (parent == null) throw CommandException.input("/ is too much to copy");
    var sent = String.valueOf(real.getFileName());
    var from = new LocalProgram(List.of("tar", "-cf", "-", "-C", parent.toString(), "--", sent));
    var name = String.valueOf(source.getFileName());
    var argv = new ArrayList<>(List.of("sh", "-c", RECEIVE, "mayfly"));
    argv.addAll(List.of(path, name, force ? "yes" : "no", sent));
    var said = pipe(from, programs.apply(target, argv)).strip();
    var place = said.substring(said.lastIndexOf('\n') + 1).replaceFirst("^\\./", "");
    return place.isEmpty() ? path : PrintableText.line(place);
  }

  /** Before they are sent, or after they came. */
  private void tellOfLinks(Path folder) {
    SourceFolder.of(folder, path -> Optional.empty()).notesOfLinks().forEach(messages);
  }

  private static Path real(Path source) {
    try {
      return source.toRealPath();
    } catch (IOException e) {
      throw CommandException.input(source + " cannot be read: " + e, e);
    }
  }

  /** Returns what the receiver said. */
  private String pipe(LocalProgram from, LocalProgram to) {
    try {
      var sender = started(from);
      sender.getOutputStream().close();
      try (var _ = ErrorLines.of(sender, messages)) {
        return pipe(sender, to);
      }
    } catch (IOException e) {
      throw new CommandException(CommandExitCode.UNAVAILABLE, "the copy does not start: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(CommandExitCode.UNAVAILABLE, "the copy was interrupted", e);
    }
  }

  private String pipe(Process sender, LocalProgram to) throws IOException, InterruptedException {
    var in = new PushbackInputStream(sender.getInputStream());
    var first = in.read();
    // A sender without a byte has said why; a receiver would only add that it got nothing.
    if (first < 0) check(Math.max(1, sender.waitFor()), "cannot be read");
    in.unread(first);
    var receiver = started(to);
    try (var _ = ErrorLines.of(receiver, messages)) {
      var end =
          new Thread(() -> List.of(sender, receiver).forEach(Process::destroy), "end of copy");
      Runtime.getRuntime().addShutdownHook(end);
      pump(in, receiver.getOutputStream());
      var said = new String(receiver.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      var sent = sender.waitFor();
      var received = receiver.waitFor();
      removeHook(end);
      // A sender whose receiver has ended ends for that.
      if (received == 0 || sent != BROKEN_PIPE) check(sent, "cannot be read completely");
      check(received, "cannot be written");
      return said;
    }
  }

  private static Process started(LocalProgram localProgram) throws IOException {
    var builder = localProgram.builder();
    // Otherwise macOS adds files of its own to archives.
    builder.environment().put("COPYFILE_DISABLE", "1");
    return builder.start();
  }

  /** A side that ends early tells why by its exit code. */
  private void pump(InputStream from, OutputStream to) {
    try (from;
        to) {
      copyProgress.counted(from).transferTo(to);
    } catch (IOException ended) {
      return;
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return;
    }
  }

  /** The side says why. Some of its exit codes mean what they mean here. */
  private static void check(int code, String what) {
    if (code == 0) return;
    for (var known : SHARED)
      if (known.code() == code)
        throw new CommandException(known, "the copy " + what + "; the reason is above");
    throw new CommandException(
        CommandExitCode.UNAVAILABLE,
        "the copy %s (exit code %d); the reason is above".formatted(what, code));
  }
}
