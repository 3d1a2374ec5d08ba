package dev.mayfly.cli.job;

import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.ParsedDocument;

/** A job that is ready to be published, and where it is to run. */
record CheckedJob(ParsedDocument document, ClusterStatus cluster) {}
