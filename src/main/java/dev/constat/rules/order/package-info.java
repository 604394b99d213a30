/**
 * The order of deliveries in an aggregate (spec section 6, order): who went ahead of whom and why,
 * which head holds the others back, for how long, and what was sent again after it had been given
 * up. A row is an {@link dev.constat.rules.order.AggregateRow}; {@link
 * dev.constat.rules.order.AggregateScan} follows them, part by part of a large aggregate.
 */
package dev.constat.rules.order;
