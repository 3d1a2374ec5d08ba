package dev.mayfly.wire.document;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.plan.MachineTypes;
import dev.mayfly.core.plan.TpuTypes;
import dev.mayfly.wire.text.Words;
import java.util.List;
import java.util.Optional;

/** A document about a slice made by hand, as a command. */
final class SliceForm {
  private static final List<Provisioning> WAYS =
      List.of(Provisioning.ON_DEMAND, Provisioning.RESERVED, Provisioning.SPOT);

  private final Form form;

  SliceForm(Form form) {
    this.form = form;
  }

  Command create() {
    var how = provisioning();
    if (form.text("reservation").isPresent() && how != Provisioning.RESERVED)
      form.complain("reservation", "needs provisioning: reserved");
    var type = type();
    type.ifPresent(t ->
        form.text("topology")
            .filter(layout -> !t.takes(layout))
            .ifPresent(layout -> form.complain("topology", PoolForm.unfit(t, layout))));
    return new Command.CreateSlice(
        form.name("cluster"),
        form.name("name"),
        form.name("type"),
        count(),
        how,
        form.text("reservation"),
        form.text("topology"),
        form.text("zone"),
        form.text("pool"));
  }

  Command reshape() {
    var unused = type();
    return new Command.ReshapeSlice(
        form.name("cluster"), form.name("slice"), form.name("type"), count());
  }

  private int count() {
    return (int) form.whole("count", 1);
  }

  private Optional<TpuTypes.Tpu> type() {
    var type = TpuTypes.of(form.name("type"));
    if (type.isEmpty() && !form.name("type").isEmpty())
      form.complain(
          "type",
          MachineTypes.unusable(form.name("type"))
              .orElseGet(() ->
                  "'%s' is no TPU type that is known; v4-128 is one".formatted(form.name("type"))));
    return type;
  }

  private Provisioning provisioning() {
    return form.text("provisioning")
        .flatMap(word -> WAYS.stream().filter(way -> Words.of(way).equals(word)).findFirst())
        .orElse(Provisioning.ON_DEMAND);
  }
}
