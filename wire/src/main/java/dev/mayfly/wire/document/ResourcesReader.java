package dev.mayfly.wire.document;

import dev.mayfly.core.model.Resources;
import dev.mayfly.wire.text.QuantityFormat;

/** Reads the resources in a document, with defaults. */
final class ResourcesReader {
  private ResourcesReader() {}

  static Resources read(FieldReader fieldReader, Resources otherwise) {
    return new Resources(
        fieldReader.read("cpu", QuantityFormat::millis).orElse(otherwise.cpuMillis()),
        fieldReader.read("memory", QuantityFormat::bytes).orElse(otherwise.memoryBytes()),
        fieldReader.read("gpu", QuantityFormat::millis).orElse(otherwise.gpuMillis()),
        fieldReader.integer("tpu", otherwise.tpuChips()));
  }
}
