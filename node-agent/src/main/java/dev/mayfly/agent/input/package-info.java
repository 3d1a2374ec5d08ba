/**
 * Inputs that are a folder of many objects. Start with {@link
 * dev.mayfly.agent.input.GatherDownload}.
 */
@NullMarked
package dev.mayfly.agent.input;

import org.jspecify.annotations.NullMarked;
