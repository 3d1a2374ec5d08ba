package dev.mayfly.cli;

import dev.mayfly.core.control.ClusterView;
import dev.mayfly.wire.Parsed;

/** A job that is ready to be published, and where it is to run. */
record Submission(Parsed document, ClusterView cluster) {}
