@NullMarked
package dev.mayfly.cli.cluster;

import org.jspecify.annotations.NullMarked;
