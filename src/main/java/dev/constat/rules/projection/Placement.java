package dev.constat.rules.projection;

/**
 * A window that an event falls into.
 *
 * @param window the window
 * @param outcome what becomes of the event there
 */
public record Placement(Window window, Outcome outcome) {}
