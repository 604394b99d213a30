package dev.constat.pipelines.output;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;

/**
 * Everything that outputs change on a file system, in one place, so that a test can let the process
 * die or the disk be full at each step.
 */
interface FileOperations extends Serializable {

  /** Creates a file that must not exist and opens it for writing. */
  OutputStream create(Path file) throws IOException;

  /** Creates a folder and those above it, where they do not exist. */
  void createFolders(Path folder) throws IOException;

  /** Renames a file or folder in one step; a file that has the new name is replaced. */
  void move(Path from, Path to) throws IOException;

  /** Removes a file or an empty folder, if it exists. */
  void delete(Path path) throws IOException;

  /** Makes the content of a file, or the names in a folder, survive a loss of power. */
  void force(Path path) throws IOException;
}
