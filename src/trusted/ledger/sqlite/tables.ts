/** Marks an SQLite file as a Reticent ledger ("Rtct"), in the place that SQLite keeps for this. */
export const applicationId = 0x52746374
/** Of the tables below. */
export const tablesVersion = 1

/**
 * The triggers are a seat belt: they stop a slip of the hand, and the chain shows whatever gets past them. So is
 * `parent`, the measurement that a row refines: the structure check already allows one refinement only.
 */
export const tables = `
  CREATE TABLE rows (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    body TEXT NOT NULL,
    blob BLOB NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    parent TEXT UNIQUE
  ) STRICT;
  CREATE TRIGGER rows_are_never_changed BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
  CREATE TRIGGER rows_are_never_deleted BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
  CREATE TABLE secrets (key BLOB NOT NULL) STRICT;
  CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${tablesVersion};
`

export const insertRow =
  'INSERT INTO rows (seq, at, body, blob, hash, parent) VALUES (@seq, @at, @body, @blob, @hash, @parent)'

export const rowsAfter = 'SELECT seq, at, body, blob, hash FROM rows WHERE seq > ? ORDER BY seq'
