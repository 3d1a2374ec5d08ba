/**
 * Text for people: pages, tables, progress and styles, made from values, the time and a width, so
 * that tests compare text.
 *
 * <p>Start with {@link dev.mayfly.cli.output.Screen} and {@link dev.mayfly.cli.output.Table}; text
 * from tasks and messages goes through {@link dev.mayfly.cli.output.PrintableText} first.
 */
@NullMarked
package dev.mayfly.cli.output;

import org.jspecify.annotations.NullMarked;
