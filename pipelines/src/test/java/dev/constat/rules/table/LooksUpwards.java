package dev.constat.rules.table;

import dev.constat.rules.reconcile.Book;
import dev.constat.transforms.buckets.Buckets;
import java.net.Socket;
import org.apache.beam.sdk.Pipeline;

/** Knows what its package must not; only for a test that says so. */
public record LooksUpwards(Book book, Buckets buckets, Pipeline pipeline, Socket socket) {}
