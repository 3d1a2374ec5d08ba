package dev.mayfly.wire.document;

import dev.mayfly.core.model.Resources;
import dev.mayfly.wire.text.Amounts;

/** The amounts in a document, with what holds where it is silent. */
final class Amounted {
  private Amounted() {}

  static Resources read(Form form, Resources otherwise) {
    return new Resources(
        form.read("cpu", Amounts::millis).orElse(otherwise.cpuMillis()),
        form.read("memory", Amounts::bytes).orElse(otherwise.memoryBytes()),
        form.read("gpu", Amounts::millis).orElse(otherwise.gpuMillis()),
        form.whole("tpu", otherwise.tpuChips()));
  }
}
