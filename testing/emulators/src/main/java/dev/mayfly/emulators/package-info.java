/**
 * The control plane on a laptop as on Google Cloud: Google's Firestore and Pub/Sub emulators, and
 * each function in its own process under the real Functions Framework.
 *
 * <p>The laptop cloud starts it by its name, for {@code mayfly local --emulators} of a checkout.
 * Start at {@link dev.mayfly.emulators.EmulatorsMain}, which wires it; {@link
 * dev.mayfly.emulators.GoogleSdk} finds the emulators.
 */
@NullMarked
package dev.mayfly.emulators;

import org.jspecify.annotations.NullMarked;
