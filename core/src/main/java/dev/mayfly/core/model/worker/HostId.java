package dev.mayfly.core.model.worker;

/**
 * One machine that takes part: a host of a slice by its index, or a worker of its own with index 0.
 */
public record HostId(String worker, int index) {
  @Override
  public String toString() {
    return worker + "/" + index;
  }
}
