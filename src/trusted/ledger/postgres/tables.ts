/** Of the tables below. */
export const tablesVersion = 1

/** A name as PostgreSQL reads it, whatever is in it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * What `ledger create` makes, as the owner. The trigger is a second line: even the owner, who has all rights on a table, cannot
 * change a row by a slip of the hand, and the chain shows whatever gets past it. `seq` is unique: of two that would
 * append the same row one is let through. So is `parent`, the measurement that a row refines.
 */
export const tablesSql = (schema: string): string => {
  const s = quoted(schema)
  return `
  CREATE SCHEMA ${s};
  CREATE TABLE ${s}.rows (
    seq bigint PRIMARY KEY CHECK (seq > 0),
    at text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL,
    blob bytea NOT NULL,
    hash text COLLATE "C" NOT NULL UNIQUE,
    parent text COLLATE "C" UNIQUE
  );
  CREATE FUNCTION ${s}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'a ledger is append-only'; END $$;
  CREATE TRIGGER rows_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON ${s}.rows
    FOR EACH STATEMENT EXECUTE FUNCTION ${s}.refuse_change();
  ALTER TABLE ${s}.rows ENABLE ALWAYS TRIGGER rows_are_never_changed;
  CREATE TABLE ${s}.secrets (key bytea NOT NULL);
  CREATE TABLE ${s}.notes (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
  CREATE TABLE ${s}.format (version integer NOT NULL);
  INSERT INTO ${s}.format VALUES (${tablesVersion})`
}

/** All that the role needs that Reticent runs as: to read and to add rows, and to keep notes, which are outside the chain. */
export const grantsSql = (schema: string, role: string): string => {
  const [s, r] = [quoted(schema), quoted(role)]
  return `
  REVOKE ALL ON SCHEMA ${s} FROM PUBLIC;
  REVOKE ALL ON ALL TABLES IN SCHEMA ${s} FROM PUBLIC;
  GRANT USAGE ON SCHEMA ${s} TO ${r};
  GRANT SELECT, INSERT ON ${s}.rows TO ${r};
  GRANT SELECT ON ${s}.secrets, ${s}.format TO ${r};
  GRANT SELECT, INSERT, UPDATE ON ${s}.notes TO ${r}`
}
