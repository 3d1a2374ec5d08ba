/**
 * Text for people: pages, tables, progress and styles, made from values, the time and a width, so
 * that tests compare text.
 *
 * <p>Start with Screen and Table; text from tasks and messages goes through PrintableText first.
 */
@NullMarked
package dev.mayfly.cli.output;

import org.jspecify.annotations.NullMarked;
