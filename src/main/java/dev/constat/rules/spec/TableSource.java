package dev.constat.rules.spec;

import java.io.Serializable;

/**
 * A table or view of a database that an input is read from.
 *
 * @param jdbc URL of the database, without credentials
 * @param table its name, with its schema where that is needed
 * @param userEnv environment variable that holds the user's name, or null
 * @param passwordEnv environment variable that holds the password, or null
 * @param where which rows belong to the input, in SQL, or null for all
 */
public record TableSource(
    String jdbc, String table, String userEnv, String passwordEnv, String where)
    implements Serializable {}
