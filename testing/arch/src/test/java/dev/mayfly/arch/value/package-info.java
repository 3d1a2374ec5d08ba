/**
 * Rules about values that users write: they are never assumed to differ, and are kept as written.
 * Start at {@link CollectionRulesTest}.
 */
@NullMarked
package dev.mayfly.arch.value;

import org.jspecify.annotations.NullMarked;
