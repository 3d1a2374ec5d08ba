/**
 * The control plane on a laptop: the functions in one process, over an embedded ledger.
 *
 * <p>Start at {@link dev.mayfly.local.control.ControlMain}. The entry points are the ones that run
 * on Google Cloud; only what hosts them and the ledger are the laptop's own.
 */
@NullMarked
package dev.mayfly.local.control;

import org.jspecify.annotations.NullMarked;
