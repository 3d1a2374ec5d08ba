@NullMarked
package dev.mayfly.cli.metrics;

import org.jspecify.annotations.NullMarked;
