package dev.mayfly.cli.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.core.model.Resources;
import dev.mayfly.wire.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnMachineTest {
  @TempDir Path folder;

  @Test
  void aFolderIsTheSameMachineAlwaysAndAnotherIsAnother() {
    var desk = OwnMachine.in(folder.resolve("a"));

    assertThat(OwnMachine.in(folder.resolve("a")).id()).isEqualTo(desk.id());
    assertThat(OwnMachine.in(folder.resolve("b")).id()).isNotEqualTo(desk.id());
  }

  @Test
  void itsNamesMayStandInAMessage() throws IOException {
    var fields =
        Map.of(
            "cluster", "lab",
            "pool", "desks",
            "worker", OwnMachine.name(),
            "machine", OwnMachine.in(folder).id(),
            "nonceHash", OwnMachine.random(32));

    assertThat(Documents.of("JoinWorker", fields).kind()).isEqualTo("JoinWorker");
  }

  @Test
  void itOffersNoMoreThanItHasNorThanThePoolSays() {
    var has = new OwnMachine("m.1", folder, Resources.cpu(8, 1_000));

    assertThat(has.offers(new Resources(4_000, 2_000, 1_000, 0)))
        .isEqualTo(new Resources(4_000, 1_000, 1_000, 0));
  }

  @Test
  void aFolderThatCannotBeMadeIsToldWithTheRemedy() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> OwnMachine.in(file.resolve("below")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("--dir");
  }
}
