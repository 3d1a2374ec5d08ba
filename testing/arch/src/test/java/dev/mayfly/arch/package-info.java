/**
 * The project's rules, as tests over the compiled classes of all modules.
 *
 * <p>Read {@link dev.mayfly.arch.CoreRulesTest} for what keeps the core pure, {@link
 * dev.mayfly.arch.ModuleRulesTest} for module dependencies, and {@link
 * dev.mayfly.arch.CommonRulesTest} for what holds everywhere. Change a rule here, with its reason;
 * never work around it.
 */
@NullMarked
package dev.mayfly.arch;

import org.jspecify.annotations.NullMarked;
