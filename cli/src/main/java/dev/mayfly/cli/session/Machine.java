package dev.mayfly.cli.session;

import java.util.Optional;

/**
 * One machine of a worker.
 *
 * @param worker the worker's name, which the cloud knows it by
 * @param host the machine's number in a TPU slice; 0 in every other worker
 * @param tpu whether it is a host of a TPU
 * @param own whether it is a machine of the user's own, which the cloud does not know
 * @param instance the worker's number in the cloud, once it is known
 */
public record Machine(
    String cluster,
    String worker,
    int host,
    String zone,
    boolean tpu,
    boolean own,
    Optional<String> instance) {
  @Override
  public String toString() {
    return host == 0 ? worker : worker + "." + host;
  }
}
