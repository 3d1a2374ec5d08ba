/**
 * The laptop cloud: simulated Google services and a control plane with an embedded ledger.
 *
 * <p>Start at {@link dev.mayfly.local.Main}, which lets {@link dev.mayfly.local.Supervisor} start
 * both processes, cloud.CloudMain and control.ControlMain.
 */
@NullMarked
package dev.mayfly.local;

import org.jspecify.annotations.NullMarked;
