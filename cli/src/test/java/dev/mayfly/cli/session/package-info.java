@NullMarked
package dev.mayfly.cli.session;

import org.jspecify.annotations.NullMarked;
