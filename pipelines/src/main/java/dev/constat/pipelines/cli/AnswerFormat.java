package dev.constat.pipelines.cli;

/** How an answer is written. */
enum AnswerFormat {
  TEXT,
  JSON
}
