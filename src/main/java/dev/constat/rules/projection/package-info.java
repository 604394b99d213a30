/**
 * Projections (spec section 5): what the live system should have made of its events. Events are
 * placed in windows ({@link dev.constat.rules.projection.Windows}, {@link
 * dev.constat.rules.projection.Projector}), added up before they are grouped ({@link
 * dev.constat.rules.projection.PartialCells}), folded into cells ({@link
 * dev.constat.rules.projection.CellFold}) and held against the cells that the live system recorded
 * ({@link dev.constat.rules.projection.RecordedCell}).
 */
package dev.constat.rules.projection;
