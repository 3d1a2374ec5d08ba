package dev.mayfly.cli.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.session.LocalProgram;
import dev.mayfly.cli.session.Machine;
import dev.mayfly.cli.session.SessionTarget;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies by tar, where a folder of this computer is the machine. */
@Timeout(60)
class MachineFilesTest {
  private static final SessionTarget TARGET =
      new SessionTarget(
          new Machine("lab", "w", 0, "z", false, false, Optional.of("1")), Optional.empty());

  @TempDir Path folder;
  private Path machine;
  private Path here;
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void make() throws IOException {
    machine = Files.createDirectory(folder.resolve("machine"));
    here = Files.createDirectory(folder.resolve("here"));
  }

  /**
   * @param first words before each command
   */
  private MachineFiles files(String... first) {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    var screen = TestScreen.plain(nowhere, nowhere, 80);
    return new MachineFiles(
        (target, argv) -> {
          var line =
              new ArrayList<>(List.of("sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh"));
          line.add(machine.toString());
          line.addAll(List.of(first));
          line.addAll(argv);
          return new LocalProgram(line);
        },
        new CopyProgress(screen, InstantSource.system()),
        notes::add);
  }

  private Path fetch(String path, CopyPlace.Local to, boolean force) {
    var name = new CopyPlace.OnMachine("w", path).copyName();
    try (var landing = LocalDestination.open(to, name, force)) {
      files().fetch(TARGET, path, landing.staging());
      return landing.publish(name);
    }
  }

  /** A task may have written it, and a terminal would obey. */
  @Test
  void wordsOfTheMachineAreMessages() {
    var says = "printf 'one\\n\\033]0;owned\\007two' >&2; exit 4";

    assertThatThrownBy(() -> files("sh", "-c", says).fetch(TARGET, "x", here))
        .isInstanceOf(CommandException.class);
    assertThat(notes).containsExactly("one", "\033]0;owned\007two");
    notes.clear();
    assertThatThrownBy(() -> files("sh", "-c", says).send(machine, TARGET, "x", false))
        .isInstanceOf(CommandException.class);
    assertThat(notes).containsExactly("one", "\033]0;owned\007two");
  }

  @Test
  void folderWithOddNamesGoesBothWays() throws IOException {
    var odd = Files.createDirectories(here.resolve("odd/$(touch pwned)/deep"));
    Files.writeString(odd.resolve("-rf"), "one");
    Files.writeString(odd.resolve("two\nlines ü'\""), "two");

    files().send(here.resolve("odd"), TARGET, "there", false);
    var back = fetch("there", new CopyPlace.Local(here.resolve("back"), false), false);

    assertThat(back).isEqualTo(here.resolve("back"));
    assertThat(back.resolve("$(touch pwned)/deep/-rf")).hasContent("one");
    assertThat(back.resolve("$(touch pwned)/deep/two\nlines ü'\"")).hasContent("two");
    assertThat(List.of(machine.resolve("pwned"), here.resolve("pwned")))
        .allSatisfy(file -> assertThat(file).doesNotExist());
  }

  @Test
  void existingFolderGetsCopyUnderItsName() throws IOException {
    Files.createDirectory(machine.resolve("in"));
    Files.writeString(here.resolve("a"), "one");

    files().send(here.resolve("a"), TARGET, "in", false);
    files().send(here.resolve("a"), TARGET, "in/b", false);

    assertThat(machine.resolve("in/a")).hasContent("one");
    assertThat(machine.resolve("in/b")).hasContent("one");
    assertThat(fetch("in/b", new CopyPlace.Local(here, false), false))
        .isEqualTo(here.resolve("b"))
        .hasContent("one");
  }

  @Test
  void linkIsSentAsWhatItLeadsTo() throws IOException {
    Files.writeString(Files.createDirectory(here.resolve("run-7")).resolve("a"), "one");
    Files.createSymbolicLink(here.resolve("last"), Path.of("run-7"));
    Files.createDirectory(machine.resolve("in"));

    files().send(here.resolve("last"), TARGET, "in", false);

    assertThat(machine.resolve("in/last")).isDirectory();
    assertThat(machine.resolve("in/last/a")).hasContent("one");
    assertThat(Files.isSymbolicLink(machine.resolve("in/last"))).isFalse();
  }

  @Test
  void linksThatLeadElsewhereAreTold() throws IOException {
    for (var tree : List.of(here.resolve("tree"), machine.resolve("theirs"))) {
      Files.writeString(Files.createDirectory(tree).resolve("a"), "one");
      Files.createSymbolicLink(tree.resolve("inside"), Path.of("a"));
      Files.createSymbolicLink(tree.resolve("outside"), Path.of("/etc/passwd"));
    }
    var said =
        "is a link to /etc/passwd, which leads outside of the folder; copy what it leads to by"
            + " itself";

    files().send(here.resolve("tree"), TARGET, "tree", false);
    assertThat(notes).containsExactly("copied as a link: 'outside' " + said);
    assertThat(machine.resolve("tree/inside")).hasContent("one");

    notes.clear();
    fetch("theirs", new CopyPlace.Local(here.resolve("theirs"), false), false);
    assertThat(notes).containsExactly("copied as a link: 'theirs/outside' " + said);
  }

  @Test
  void nothingIsReplacedWithoutForce() throws IOException {
    Files.writeString(machine.resolve("a"), "old");
    Files.writeString(here.resolve("a"), "new");

    assertThatThrownBy(() -> files().send(here.resolve("a"), TARGET, "a", false))
        .isInstanceOf(CommandException.class);
    assertThat(machine.resolve("a")).hasContent("old");
    assertThatThrownBy(() -> fetch("a", new CopyPlace.Local(here.resolve("a"), false), false))
        .hasMessageContaining("a exists; --force replaces a file");
    assertThat(here.resolve("a")).hasContent("new");

    files().send(here.resolve("a"), TARGET, "a", true);
    assertThat(machine.resolve("a")).hasContent("new");
    Files.createDirectory(machine.resolve("folder"));
    Files.createDirectories(machine.resolve("in/folder"));
    Files.createDirectory(here.resolve("folder"));
    assertThatThrownBy(() -> files().send(here.resolve("folder"), TARGET, "in", true))
        .isInstanceOf(CommandException.class);
  }

  @Test
  void brokenTransferLeavesNothing() throws IOException {
    Files.writeString(machine.resolve("large"), "x".repeat(1_000_000));
    Files.writeString(here.resolve("large"), "x".repeat(1_000_000));
    var broken = files("sh", "-c", "\"$@\" | head -c 300000; exit 75", "sh");

    assertThatThrownBy(
            () -> broken.fetch(TARGET, "large", Files.createDirectory(here.resolve("in"))))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.exitCode()).isEqualTo(CommandExitCode.UNAVAILABLE));
    var cut = files("sh", "-c", "head -c 300000 | \"$@\"", "sh");
    assertThatThrownBy(() -> cut.send(here.resolve("large"), TARGET, "there", false))
        .isInstanceOf(CommandException.class);
    assertThat(machine).isDirectoryNotContaining("glob:**there*");
    assertThat(machine).isDirectoryNotContaining("glob:**.mayfly-cp*");
  }

  @Test
  void archiveCannotLeaveTheHiddenFolder() throws IOException {
    // A machine runs other people's code, and its tar may be anything.
    var evil = Files.createDirectories(folder.resolve("evil/inner"));
    Files.writeString(folder.resolve("evil/out"), "evil");
    var lies = files("sh", "-c", "exec tar -cPf - -C " + evil + " ../out", "sh");
    var staging = Files.createDirectories(here.resolve("deep/staging"));

    assertThatThrownBy(() -> lies.fetch(TARGET, "x", staging)).isInstanceOf(CommandException.class);
    assertThat(here.resolve("deep/out")).doesNotExist();
  }

  @Test
  void missingPlacesAreTold() throws IOException {
    Files.writeString(here.resolve("a"), "one");

    assertThatThrownBy(() -> files().fetch(TARGET, "none", here))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.exitCode()).isEqualTo(CommandExitCode.NOT_FOUND));
    assertThatThrownBy(() -> files().send(here.resolve("a"), TARGET, "no/where", false))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.exitCode()).isEqualTo(CommandExitCode.NOT_FOUND));
    assertThatThrownBy(() ->
            LocalDestination.open(new CopyPlace.Local(here.resolve("no/where"), false), "a", false))
        .hasMessageContaining("there is no folder");
  }
}
