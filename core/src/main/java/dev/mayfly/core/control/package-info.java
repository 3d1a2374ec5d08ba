/** The control plane's use cases: load, decide, commit, do. */
@NullMarked
package dev.mayfly.core.control;

import org.jspecify.annotations.NullMarked;
