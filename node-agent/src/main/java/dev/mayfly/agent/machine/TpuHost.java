package dev.mayfly.agent.machine;

import dev.mayfly.core.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a host sits in its TPU slice, as Cloud TPU tells each of them by attributes of the machine.
 *
 * @param rank its number, from 0
 * @param addresses of all hosts, its own included, by rank
 */
public record TpuHost(int rank, List<String> addresses) {
  static final String NUMBER = "agent-worker-number";
  static final String ENDPOINTS = "worker-network-endpoints";

  public TpuHost {
    addresses = List.copyOf(addresses);
  }

  /** Where its peers reach it. */
  public String address() {
    return addresses.get(rank);
  }

  /**
   * Empty for what is no TPU. Throws {@link InvalidInputException} for one that is told nonsense:
   * to guess a rank would be to compute with the wrong part of the data.
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
          "is '%s', and %s names %d hosts; delete the TPU, so that another takes its place"
              .formatted(rank, ENDPOINTS, addresses.size()));
    }
    return Optional.of(new TpuHost(Integer.parseInt(rank), addresses));
  }

  /** An entry for each host, with commas between; the address is the third of its colon fields. */
  private static List<String> addresses(String endpoints) {
    var addresses = new ArrayList<String>();
    for (var endpoint : endpoints.strip().split(",")) {
      var fields = endpoint.strip().split(":", -1);
      if (fields.length < 3 || fields[2].isBlank()) {
        throw new InvalidInputException(
            ENDPOINTS, "is '%s'; a host is such as x:y:10.0.0.11".formatted(endpoints.strip()));
      }
      addresses.add(fields[2].strip());
    }
    return addresses;
  }
}
