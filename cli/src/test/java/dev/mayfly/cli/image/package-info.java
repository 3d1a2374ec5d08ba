/** Tests of {@code mayfly image}, with stand-ins for engines and gcloud on the PATH. */
@org.jspecify.annotations.NullMarked
package dev.mayfly.cli.image;
