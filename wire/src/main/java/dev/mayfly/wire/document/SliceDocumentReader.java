package dev.mayfly.wire.document;

import dev.mayfly.core.catalog.MachineTypes;
import dev.mayfly.core.catalog.TpuMachine;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.text.KebabCase;
import java.util.List;
import java.util.Optional;

/** Reads a document about a manual slice as a command. */
final class SliceDocumentReader {
  private static final List<Provisioning> WAYS =
      List.of(Provisioning.ON_DEMAND, Provisioning.RESERVED, Provisioning.SPOT);

  private final FieldReader fieldReader;

  SliceDocumentReader(FieldReader fieldReader) {
    this.fieldReader = fieldReader;
  }

  UserCommand create() {
    var how = provisioning();
    if (fieldReader.text("reservation").isPresent() && how != Provisioning.RESERVED)
      fieldReader.addProblem("reservation", "needs provisioning: reserved");
    var type = type();
    type.ifPresent(t ->
        fieldReader
            .text("topology")
            .filter(layout -> !t.takes(layout))
            .ifPresent(
                layout -> fieldReader.addProblem("topology", MachineReader.unfit(t, layout))));
    fieldReader
        .text("zone")
        .flatMap(PoolReader::misspelt)
        .ifPresent(wrong -> fieldReader.addProblem("zone", wrong));
    return new UserCommand.CreateSlice(
        fieldReader.name("cluster"),
        fieldReader.name("name"),
        fieldReader.name("type"),
        count(),
        how,
        fieldReader.text("reservation"),
        fieldReader.text("topology"),
        fieldReader.text("zone"),
        fieldReader.text("pool"));
  }

  UserCommand reshape() {
    var unused = type();
    return new UserCommand.ReshapeSlice(
        fieldReader.name("cluster"), fieldReader.name("slice"), fieldReader.name("type"), count());
  }

  private int count() {
    return (int) fieldReader.integer("count", 1);
  }

  private Optional<TpuTypes.Tpu> type() {
    var type = TpuTypes.of(fieldReader.name("type"));
    if (type.isEmpty() && !fieldReader.name("type").isEmpty())
      fieldReader.addProblem("type", noSlice(fieldReader.name("type")));
    return type;
  }

  private static String noSlice(String type) {
    return TpuMachine.ofTpu(type)
        .map(_ ->
            "'%s' is a machine of Compute Engine, and slices are made by Cloud TPU; keep one with a pool: tpu: {type: %1$s}, workers: {min: 1, max: 1}"
                .formatted(type))
        .or(() -> MachineTypes.unusable(type))
        .orElseGet(() -> "'%s' is not a known TPU type; v4-128 is one".formatted(type));
  }

  private Provisioning provisioning() {
    return fieldReader
        .text("provisioning")
        .flatMap(word -> WAYS.stream().filter(way -> KebabCase.of(way).equals(word)).findFirst())
        .orElse(Provisioning.ON_DEMAND);
  }
}
