/**
 * Changes of a stored worker that more than one package makes: lifecycle events, deletion of its
 * machine, and the return of its leases.
 *
 * <p>Start with WorkerTransitions, then LeaseRevoker.
 */
@NullMarked
package dev.mayfly.core.state.worker;

import org.jspecify.annotations.NullMarked;
