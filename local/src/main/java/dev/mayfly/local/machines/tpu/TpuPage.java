package dev.mayfly.local.machines.tpu;

import io.grpc.Status;
import java.util.List;
import java.util.Set;

/**
 * One page of a list in Cloud TPU's form.
 *
 * @param next the token of the next page; empty for the last
 */
record TpuPage<T>(List<T> items, String next) {
  static <T> TpuPage<T> of(List<T> all, String token, int size) {
    var from = token.isEmpty() ? 0 : start(token);
    var to = Math.min(all.size(), from + (size == 0 ? 1000 : size));
    var next = to < all.size() ? Integer.toString(to) : "";
    return new TpuPage<>(all.subList(Math.min(from, to), to), next);
  }

  /**
   * Whether a list of {@code parent} includes a zone that is not silent; {@code -} includes all
   * zones.
   */
  static boolean includes(String parent, String zone, Set<String> silent) {
    var asked = TpuNode.last(parent);
    return (asked.equals("-") || zone.equals(asked)) && !silent.contains(zone);
  }

  /** The names of the zones that do not answer. */
  static List<String> unreachable(String parent, Set<String> silent) {
    var project = parent.substring(0, parent.lastIndexOf('/') + 1);
    return silent.stream().map(zone -> project + zone).toList();
  }

  private static int start(String token) {
    if (token.matches("[0-9]{1,9}")) return Integer.parseInt(token);
    throw Status.INVALID_ARGUMENT
        .withDescription("The page token '" + token + "' is invalid")
        .asRuntimeException();
  }
}
