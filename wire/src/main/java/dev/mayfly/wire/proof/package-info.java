/**
 * How a server of the laptop cloud proves that it is its owner's, before it gets a token: another
 * user of the machine may listen on its port while it is down. Start at {@link
 * dev.mayfly.wire.proof.ProvenServers}.
 */
@NullMarked
package dev.mayfly.wire.proof;

import org.jspecify.annotations.NullMarked;
