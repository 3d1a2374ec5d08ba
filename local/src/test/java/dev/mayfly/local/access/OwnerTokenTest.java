package dev.mayfly.local.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.local.os.PrivateFolder;
import dev.mayfly.wire.proof.ServerProof;
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
    for (var forged :
        new String[] {"", ".", "mayfly-123-1.", machine.replace("123", "124"), "ü.x", "a"})
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
  void startMakesNewTokenAndMachinesKeepTheirs() throws IOException {
    var home = folder.resolve("home");
    var first = OwnerToken.loadOrCreate(home);

    var second = OwnerToken.renew(home);

    assertThat(OwnerToken.loadOrCreate(home)).isEqualTo(second);
    assertThat(second.holder(first.text())).isEmpty();
    assertThat(second.holder(first.personToken())).isEmpty();
    assertThat(second.holder(first.invitation(TokenHolder.ADMIN, "ann"))).isEmpty();
    assertThat(second.person(second.invitation(TokenHolder.ADMIN, "ann"))).contains("ann");
    assertThat(second.person(second.machineToken("7"))).isEmpty();
    assertThat(second.holder(first.machineToken("7"))).contains(TokenHolder.MACHINE);
    assertThat(second.holder(first.taskToken("7"))).contains(TokenHolder.TASK);
    assertThat(OwnerToken.renew(home).holder(first.machineToken("7"))).isEmpty();
    for (var name : new String[] {"token", "token.before", "person", "curl"})
      assertThat(mode(home.resolve("cloud").resolve(name))).as(name).isEqualTo("rw-------");
    assertThat(home.resolve("cloud/curl")).content().contains(OwnerToken.read(home).text());
  }

  @Test
  void tokenOfAnEarlierVersionIsReplaced() throws IOException {
    var home = folder.resolve("home");
    Files.createDirectories(home.resolve("cloud"));
    Files.writeString(OwnerToken.file(home), "SECRETOWNERTOKENSECRETOWNERTOKEN12");

    assertThat(OwnerToken.loadOrCreate(home).text()).startsWith("mayfly-");
  }

  @Test
  void machinesOfTheStartBeforeGetTheirProof() throws IOException {
    var home = folder.resolve("home");
    var before = OwnerToken.loadOrCreate(home).machineToken("7");
    var owner = OwnerToken.renew(home);

    assertThat(owner.proofs("7", "127.0.0.1:1", "nonce"))
        .containsExactly(
            ServerProof.of(owner.machineToken("7"), "127.0.0.1:1", "nonce"),
            ServerProof.of(before, "127.0.0.1:1", "nonce"));
    assertThat(owner.proofs("", "127.0.0.1:1", "nonce"))
        .containsExactly(ServerProof.of(owner.text(), "127.0.0.1:1", "nonce"));
  }

  /** What an open route answers must be of no use as a token. */
  @Test
  void proofIsNoToken() {
    var owner = OwnerToken.random();

    for (var holder : new String[] {"", "7", "person", "task-7"})
      for (var proof : owner.proofs(holder, "127.0.0.1:1", "nonce"))
        for (var forged : new String[] {proof, "mayfly-7." + proof, "mayfly-127.0.0.1:1." + proof})
          assertThat(owner.holder(forged)).as(forged).isEmpty();
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
