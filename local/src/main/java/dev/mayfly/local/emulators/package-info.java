/**
 * The control plane on a laptop as on Google Cloud: Google's Firestore and Pub/Sub emulators, and
 * each function in its own process under the real Functions Framework.
 *
 * <p>Start at {@link dev.mayfly.local.emulators.EmulatorsMain}, which wires it; {@link
 * dev.mayfly.local.emulators.GoogleSdk} finds the emulators.
 */
@NullMarked
package dev.mayfly.local.emulators;

import org.jspecify.annotations.NullMarked;
