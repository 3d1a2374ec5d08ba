package dev.mayfly.cli.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaticWorkerMachineTest {
  @TempDir Path folder;

  @Test
  void folderIdentifiesMachine() {
    var desk = StaticWorkerMachine.ofFolder(folder.resolve("a"));

    assertThat(StaticWorkerMachine.ofFolder(folder.resolve("a")).id()).isEqualTo(desk.id());
    assertThat(StaticWorkerMachine.ofFolder(folder.resolve("b")).id()).isNotEqualTo(desk.id());
  }

  @Test
  void machineNamesAreValidInMessages() throws IOException {
    var fields =
        Map.of(
            "cluster", "lab",
            "pool", "desks",
            "worker", StaticWorkerMachine.name(),
            "machine", StaticWorkerMachine.ofFolder(folder).id(),
            "nonceHash", StaticWorkerMachine.randomHex(32));

    assertThat(UserDocuments.of("JoinWorker", fields).kind()).isEqualTo("JoinWorker");
  }

  @Test
  void offerIsLimitedByMachineAndPool() {
    var has = new StaticWorkerMachine("m.1", folder, Resources.cpu(8, 1_000));

    assertThat(has.offers(new Resources(4_000, 2_000, 1_000, 0)))
        .isEqualTo(new Resources(4_000, 1_000, 1_000, 0));
  }

  @Test
  void uncreatableFolderIsReportedWithRemedy() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> StaticWorkerMachine.ofFolder(file.resolve("below")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("--dir");
  }
}
