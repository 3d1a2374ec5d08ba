/** A working tree as one zip for the workers. Start with {@link dev.mayfly.cli.code.CodeBundle}. */
@NullMarked
package dev.mayfly.cli.code;

import org.jspecify.annotations.NullMarked;
