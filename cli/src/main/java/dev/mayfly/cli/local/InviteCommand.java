package dev.mayfly.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cli.client.DeploymentEndpoints;
import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly local invite}: lets another person use the laptop cloud, under a name. */
@Command(
    name = "invite",
    description = {
      "Lets another person use the laptop cloud as PERSON, with a role.",
      "Writes a home for them. It is valid until mayfly local starts again.",
      "",
      "Roles:",
      "  viewer     reads status, jobs, events and the page",
      "  submitter  also submits jobs, and changes only those of PERSON",
      "  admin      also brings clusters up and down; events name PERSON"
    },
    footer = {
      "",
      "Examples:",
      "  mayfly local invite ann --to /tmp/ann",
      "  MAYFLY_HOME=/tmp/ann mayfly submit job.yaml",
      "  mayfly local invite bob --role viewer --to /tmp/bob"
    })
public final class InviteCommand extends CliCommand {
  private static final String OWNER_ONLY = "rw-------";

  @Parameters(index = "0", paramLabel = "PERSON", description = "1 to 40 of a-z, 0-9 and -.")
  String person = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "viewer, submitter (the default) or admin.")
  String role = "submitter";

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "The folder to make; an earlier invitation there is replaced.")
  Path folder = Path.of("");

  public InviteCommand(CliContext cliContext) {
    super(cliContext);
  }

  private record Invitation(String token) {}

  @Override
  public Integer call() {
    if (folder.toAbsolutePath().normalize().equals(cliContext.home().toAbsolutePath().normalize()))
      throw CommandException.input("--to is your own home; write another folder");
    var answer =
        cliContext.faultControls().set("invitations", Map.of("person", person, "role", role));
    write(Wire.shared().read(Invitation.class, answer.getBytes(UTF_8)).token());
    var screen = cliContext.screen();
    screen.line(
        "%s is %s here, and so is everybody who uses %s".formatted(person, article(), folder));
    screen.line(
        "valid until mayfly local starts again: MAYFLY_HOME=%s mayfly status".formatted(folder));
    return 0;
  }

  private String article() {
    return (role.startsWith("a") ? "an " : "a ") + role;
  }

  private void write(String token) {
    try {
      var cloud = folder.resolve("cloud");
      if (Files.exists(folder) && !Files.isRegularFile(cloud.resolve("token")))
        throw CommandException.input(folder + " is there already, and no home; write another one");
      var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
      if (!Files.exists(folder)) Files.createDirectories(folder, mode);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      if (!Files.exists(cloud)) Files.createDirectory(cloud, mode);
      Files.copy(
          DeploymentEndpoints.file(cliContext.home()),
          DeploymentEndpoints.file(folder),
          StandardCopyOption.REPLACE_EXISTING);
      secret(cloud.resolve("token"), token);
      secret(cloud.resolve("person"), token);
    } catch (IOException e) {
      throw CommandException.input("cannot write the home " + folder + ": " + e);
    }
  }

  private static void secret(Path file, String text) throws IOException {
    var mode = PosixFilePermissions.fromString(OWNER_ONLY);
    Files.deleteIfExists(file);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(mode));
    Files.writeString(file, text);
  }
}
