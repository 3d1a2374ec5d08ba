/**
 * The laptop cloud: simulated Google surfaces and a control plane with an embedded ledger.
 *
 * <p>Start with {@link dev.mayfly.local.Main}, which starts both processes: {@link
 * dev.mayfly.local.cloud.CloudMain} and {@link dev.mayfly.local.control.ControlMain}.
 */
@NullMarked
package dev.mayfly.local;

import org.jspecify.annotations.NullMarked;
