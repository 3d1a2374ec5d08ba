/**
 * What a reader passes who follows one call through the code: {@link
 * dev.mayfly.arch.walk.WalkRecorder} loads the project's classes so that each method says when it
 * begins, {@link dev.mayfly.arch.walk.WalkScene} makes the calls, and {@link
 * dev.mayfly.arch.walk.WalksTest} compares what they pass with {@code docs/walks.md}.
 */
@NullMarked
package dev.mayfly.arch.walk;

import org.jspecify.annotations.NullMarked;
