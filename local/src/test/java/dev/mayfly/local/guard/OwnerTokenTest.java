package dev.mayfly.local.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerTokenTest {
  @TempDir Path folder;

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void tokenIsMadeOnceAndReadByItsOwnerAlone() throws IOException {
    var home = folder.resolve("home");

    var made = OwnerToken.make(home);

    assertThat(OwnerToken.make(home)).isEqualTo(made);
    assertThat(OwnerToken.read(home)).isEqualTo(made);
    assertThat(mode(OwnerToken.file(home))).isEqualTo("rw-------");
    assertThat(mode(home.resolve("cloud"))).isEqualTo("rwx------");
    assertThat(made.text()).hasSizeGreaterThan(40);
    assertThat(made.toString()).doesNotContain(made.text());
  }

  @Test
  void openFolderIsClosed() throws IOException {
    var open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThat(mode(PrivateFolder.make(open))).isEqualTo("rwx------");
  }

  @Test
  void machinesHaveTokensOfTheirOwn() {
    var owner = OwnerToken.random();
    var machine = owner.machine("123-1");

    assertThat(owner.isOfMachine(machine)).isTrue();
    assertThat(owner.is(machine)).isFalse();
    assertThat(OwnerToken.random().isOfMachine(machine)).isFalse();
    for (var forged : new String[] {"", ".", "123-1.", "124" + machine.substring(3), "ü.x", "a"})
      assertThat(owner.isOfMachine(forged)).as(forged).isFalse();
    assertThat(owner.is("")).isFalse();
  }

  @Test
  void fileWithoutTokenIsRefused() throws IOException {
    Files.createDirectories(folder.resolve("cloud"));
    Files.writeString(OwnerToken.file(folder), "\n");

    assertThatThrownBy(() -> OwnerToken.make(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delete its file");
  }
}
