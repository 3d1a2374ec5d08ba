/**
 * {@code mayfly image}: container images that are built and pushed, boot images that are baked.
 *
 * <p>Start at {@link dev.mayfly.cli.image.ImageBuildCommand}. {@link
 * dev.mayfly.cli.image.ImageRecipe} writes a Dockerfile; {@link
 * dev.mayfly.cli.image.EngineCommands} and {@link dev.mayfly.cli.image.BakeSteps} make the orders
 * for other programs, as arguments that no shell reads.
 */
@NullMarked
package dev.mayfly.cli.image;

import org.jspecify.annotations.NullMarked;
