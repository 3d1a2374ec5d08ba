/**
 * The rules of the house, as tests over the compiled classes of all modules.
 *
 * <p>Read {@link dev.mayfly.arch.CoreRulesTest} for what keeps the core pure, {@link
 * dev.mayfly.arch.ModuleRulesTest} for who may know of whom, and {@link
 * dev.mayfly.arch.CommonRulesTest} for what holds everywhere. A rule that stands in the way is
 * changed here, with its reason, and never worked around.
 */
@NullMarked
package dev.mayfly.arch;

import org.jspecify.annotations.NullMarked;
