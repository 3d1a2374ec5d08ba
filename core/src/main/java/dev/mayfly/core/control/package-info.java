/**
 * The use cases: load, decide, commit, do.
 *
 * <p>Start with {@code SyncDesk}, which every agent talks to, {@code Intake}, which takes users'
 * messages, and {@code Rounds}, which makes true what is wanted.
 *
 * <p>Its tests drive whole deployments, and so they are in module {@code sim}: {@code ./build
 * -Pquick -pl sim -am test}.
 *
 * <p><b>Rule:</b> state is written through the ledger port alone; an effect is performed after its
 * intent is committed, and may be performed again.
 */
@NullMarked
package dev.mayfly.core.control;

import org.jspecify.annotations.NullMarked;
