package dev.mayfly.cli.image;

import dev.mayfly.cli.context.ShellQuoting;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.session.ForegroundProcess;
import dev.mayfly.cli.session.LocalProgram;
import dev.mayfly.core.model.cluster.ContainerRegistries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Runs the orders of {@link EngineCommands}, or prints them. */
final class ImagePusher {
  private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

  private final EngineCommands commands;
  private final Screen screen;
  private final boolean dryRun;

  ImagePusher(EngineCommands commands, Screen screen, boolean dryRun) {
    this.commands = commands;
    this.screen = screen;
    this.dryRun = dryRun;
  }

  /**
   * One copy of an image, as JSON.
   *
   * @param digest empty if nothing was pushed
   */
  record Copy(String image, Optional<String> digest) {}

  /** Runs one order; its output goes to the terminal. */
  void run(List<String> argv, String remedy) {
    if (printed(argv)) return;
    var captured = ForegroundProcess.capture(new LocalProgram(argv), screen::note);
    captured.output().lines().forEach(screen::note);
    if (captured.code() != 0) throw failed(argv, captured.code(), remedy);
  }

  private boolean printed(List<String> argv) {
    if (dryRun) screen.line(ShellQuoting.line(argv));
    return dryRun;
  }

  /** Pushes the image under all names; the names other than the first are given to it first. */
  List<Copy> push(List<String> names, String source) {
    var copies = new ArrayList<Copy>();
    for (var name : names) {
      if (!name.equals(source))
        run(commands.tag(source, name), "build it first: mayfly image build");
      copies.add(new Copy(name, digest(name)));
    }
    return checked(copies);
  }

  /** The digests of copies that Cloud Build has pushed. */
  List<Copy> pushed(List<String> names) {
    var copies = new ArrayList<Copy>();
    for (var name : names) copies.add(new Copy(name, ask(commands.digest(name))));
    return checked(copies);
  }

  private Optional<String> ask(List<String> argv) {
    if (printed(argv)) return Optional.empty();
    var captured = ForegroundProcess.capture(new LocalProgram(argv), screen::note);
    if (captured.code() != 0) throw failed(argv, captured.code(), "is it pushed?");
    return Optional.of(digestIn(captured.output(), argv));
  }

  private Optional<String> digest(String name) {
    try {
      var file = Files.createTempFile("mayfly", ".digest");
      try {
        var argv = commands.push(name, file);
        if (printed(argv)) return Optional.empty();
        var captured = ForegroundProcess.capture(new LocalProgram(argv), screen::note);
        captured.output().lines().forEach(screen::note);
        if (captured.code() != 0) throw failed(argv, captured.code(), login(name));
        var said = Files.readString(file, StandardCharsets.UTF_8) + captured.output();
        return Optional.of(digestIn(said, argv));
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new CommandException(
          CommandExitCode.UNAVAILABLE, "no temporary file can be written: " + e, e);
    }
  }

  private String login(String name) {
    var host = ContainerRegistries.writtenHost(name);
    if (!host.endsWith("docker.pkg.dev"))
      return "if it asks for a login: %s login %s"
          .formatted(Path.of(commands.engine().program()).getFileName(), host);
    return commands.engine().kind() == ImageEngine.Kind.docker
        ? "if it asks for a login: gcloud auth configure-docker " + host
        : "if it asks for a login: gcloud auth print-access-token | podman login -u oauth2accesstoken --password-stdin "
            + host;
  }

  /** The last digest, because an engine may name layers before. */
  private static String digestIn(String text, List<String> argv) {
    var last = DIGEST.matcher(text).results().reduce((_, next) -> next);
    return last.orElseThrow(() ->
            new CommandException(
                CommandExitCode.UNAVAILABLE,
                ShellQuoting.line(argv) + " named no digest; see what it printed"))
        .group();
  }

  private static List<Copy> checked(List<Copy> copies) {
    var digests = copies.stream().map(Copy::digest).distinct().toList();
    if (digests.size() > 1)
      throw new CommandException(
          CommandExitCode.UNAVAILABLE,
          "the copies differ: %s; push again with one engine, or copy by digest".formatted(copies));
    return copies;
  }

  private static CommandException failed(List<String> argv, int code, String remedy) {
    return new CommandException(
        CommandExitCode.INPUT,
        "%s ended with %d; see the lines above; %s"
            .formatted(ShellQuoting.line(argv), code, remedy));
  }
}
