package dev.mayfly.core.model.gang;

import java.util.Optional;

/**
 * What a host makes for one run, and tells its peers.
 *
 * @param publicKey of the pair that it made, if the gang asks for one
 * @param port that was free at its address when it was prepared, and is kept free until its part
 *     starts; empty for a slice, and where none can be tried
 */
public record GangContact(Optional<String> publicKey, Optional<Integer> port) {
  public static final GangContact NONE = new GangContact(Optional.empty(), Optional.empty());
}
