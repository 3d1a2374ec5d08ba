package dev.mayfly.agent.machine;

import dev.mayfly.core.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A host's place in its TPU slice, from attributes that Cloud TPU sets on the machine.
 *
 * @param rank the host's number, from 0
 * @param addresses of all hosts including its own, by rank
 */
public record TpuHost(int rank, List<String> addresses) {
  static final String NUMBER = "agent-worker-number";
  static final String ENDPOINTS = "worker-network-endpoints";

  public TpuHost {
    addresses = List.copyOf(addresses);
  }

  /** The address at which the other hosts reach it. */
  public String address() {
    return addresses.get(rank);
  }

  /**
   * Empty if the machine is not a TPU host. Throws {@link InvalidInputException} for invalid
   * attributes: a guessed rank would compute with the wrong part of the data.
   *
   * @param attribute finds an attribute of the machine
   */
  public static Optional<TpuHost> of(Function<String, Optional<String>> attribute) {
    var number = attribute.apply(NUMBER);
    if (number.isEmpty()) {
      return Optional.empty();
    }
    var addresses = addresses(attribute.apply(ENDPOINTS).orElse(""));
    var rank = number.get().strip();
    if (!rank.matches("\\d{1,5}") || Integer.parseInt(rank) >= addresses.size()) {
      throw new InvalidInputException(
          NUMBER,
          "is '%s', but %s names %d hosts; delete the TPU, so that it is replaced"
              .formatted(rank, ENDPOINTS, addresses.size()));
    }
    return Optional.of(new TpuHost(Integer.parseInt(rank), addresses));
  }

  /** One entry per host, separated by commas; the third colon-separated field is the address. */
  private static List<String> addresses(String endpoints) {
    var addresses = new ArrayList<String>();
    for (var endpoint : endpoints.strip().split(",")) {
      var fields = endpoint.strip().split(":", -1);
      if (fields.length < 3 || fields[2].isBlank()) {
        throw new InvalidInputException(
            ENDPOINTS, "is '%s'; an entry is such as x:y:10.0.0.11".formatted(endpoints.strip()));
      }
      addresses.add(fields[2].strip());
    }
    return addresses;
  }
}
