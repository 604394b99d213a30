package dev.constat.pipelines.run;

import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.output.Extracts;
import dev.constat.pipelines.tables.TableKeys;
import dev.constat.pipelines.tables.TablePart;
import dev.constat.pipelines.tables.TableReader;
import dev.constat.rules.spec.RunSpec;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;

/**
 * The extracts of the tables of a run, below its staging folder, which workers share.
 *
 * @param spec the run spec
 * @param staging the staging folder
 */
record TableExtracts(RunSpec spec, String staging) implements Serializable {

  /** The extract of a part, which may not be there yet. */
  ArchiveFile of(TablePart part) {
    return ArchiveFile.ofTable(
        part.input(),
        part.rank(),
        part.source().table(),
        TableKeys.column(part.input(), spec.archives().get(part.input())),
        Path.of(staging, part.extract()));
  }

  /** Reads a part and writes its extract. */
  ArchiveFile write(TablePart part) throws IOException {
    Extracts.write(staging, part.extract(), TableReader.of(part)::writeTo);
    return of(part).asItIsNow();
  }
}
