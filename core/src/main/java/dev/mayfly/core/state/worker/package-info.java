/**
 * Changes of a stored worker that more than one package makes: lifecycle events, deletion of its
 * machine, and the return of its leases.
 *
 * <p>Start with {@link dev.mayfly.core.state.worker.WorkerTransitions}, then {@link
 * dev.mayfly.core.state.worker.LeaseRevoker}.
 */
@NullMarked
package dev.mayfly.core.state.worker;

import org.jspecify.annotations.NullMarked;
