package dev.mayfly.core.model.worker;

/** A host of a slice by its index, or a single-host worker with index 0. */
public record HostId(String worker, int index) {
  @Override
  public String toString() {
    return worker + "/" + index;
  }
}
