/** The page that people read: {@code report.html}, one file that needs nothing else. */
package dev.constat.pipelines.report;
