package dev.mayfly.local.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.local.os.PrivateFolder;
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
  void tokenIsCreatedOnceAndPrivate() throws IOException {
    var home = folder.resolve("home");

    var made = OwnerToken.loadOrCreate(home);

    assertThat(OwnerToken.loadOrCreate(home)).isEqualTo(made);
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

    assertThat(mode(PrivateFolder.ensure(open))).isEqualTo("rwx------");
  }

  @Test
  void machinesHaveTokensOfTheirOwn() {
    var owner = OwnerToken.random();
    var machine = owner.machineToken("123-1");

    assertThat(owner.matchesMachine(machine)).isTrue();
    assertThat(owner.matches(machine)).isFalse();
    assertThat(OwnerToken.random().matchesMachine(machine)).isFalse();
    for (var forged : new String[] {"", ".", "123-1.", "124" + machine.substring(3), "ü.x", "a"})
      assertThat(owner.matchesMachine(forged)).as(forged).isFalse();
    assertThat(owner.matches("")).isFalse();
  }

  @Test
  void tokenTellsWhoseItIs() throws IOException {
    var owner = OwnerToken.loadOrCreate(folder.resolve("home"));

    assertThat(owner.holder(owner.text())).contains(TokenHolder.OWNER);
    assertThat(owner.holder(owner.machineToken("7"))).contains(TokenHolder.MACHINE);
    assertThat(owner.holder(owner.taskToken("7"))).contains(TokenHolder.TASK);
    assertThat(owner.holder(owner.personToken())).contains(TokenHolder.PERSON);
    assertThat(OwnerToken.random().holder(owner.taskToken("7"))).isEmpty();
    assertThat(owner.matchesMachine(owner.taskToken("7"))).isFalse();
    var person = folder.resolve("home/cloud/person");
    assertThat(Files.readString(person)).isEqualTo(owner.personToken());
    assertThat(mode(person)).isEqualTo("rw-------");
  }

  @Test
  void fileWithoutTokenIsRefused() throws IOException {
    Files.createDirectories(folder.resolve("cloud"));
    Files.writeString(OwnerToken.file(folder), "\n");

    assertThatThrownBy(() -> OwnerToken.loadOrCreate(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delete its file");
  }
}
