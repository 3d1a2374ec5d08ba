@NullMarked
package dev.mayfly.cli.copy;

import org.jspecify.annotations.NullMarked;
