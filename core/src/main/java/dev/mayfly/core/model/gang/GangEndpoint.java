package dev.mayfly.core.model.gang;

import java.util.Optional;

/**
 * What a host makes for one run, and tells its peers.
 *
 * @param publicKey of the pair that it made, if the gang asks for one
 * @param port that was free at its address when it was prepared, and is kept free until its part
 *     starts; empty for a slice, and where none can be tried
 */
public record GangEndpoint(Optional<String> publicKey, Optional<Integer> port) {
  public static final GangEndpoint NONE = new GangEndpoint(Optional.empty(), Optional.empty());
}
