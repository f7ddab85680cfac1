import type { Row } from './sql.messages.ts';
import type { Sql, Statement } from './sql.ts';

/**
 * What the bridge keeps in the database: of each session the last write or transaction that took effect, written
 * in the same database transaction. So a driver that repeats a write or a commit after a lost reply gets the
 * first outcome, even when the bridge or the database died in between.
 */
const SCHEMA = String.raw`
CREATE EXTENSION IF NOT EXISTS documentdb CASCADE;
CREATE EXTENSION IF NOT EXISTS documentdb_extended_rum CASCADE;
CREATE SCHEMA IF NOT EXISTS muster;
CREATE TABLE IF NOT EXISTS muster.outcomes (
  session bytea PRIMARY KEY, number bigint NOT NULL, reply bytea, at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE OR REPLACE FUNCTION muster.write_once(
  kind text, db text, spec documentdb_core.bson, docs documentdb_core.bsonsequence, sess bytea, num bigint
) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE known muster.outcomes; result documentdb_core.bson;
BEGIN
  -- A repetition that overtakes the first attempt waits for its end.
  PERFORM pg_advisory_xact_lock(hashtextextended(encode(sess, 'hex'), 0));
  SELECT * INTO known FROM muster.outcomes WHERE session = sess;
  IF known.number = num AND known.reply IS NOT NULL THEN RETURN known.reply; END IF;
  IF known.number >= num THEN
    RAISE EXCEPTION 'write % of this session comes after %', num, known.number USING ERRCODE = 'MU225';
  END IF;
  CASE kind
    WHEN 'insert' THEN SELECT p_result INTO result FROM documentdb_api.insert(db, spec, docs);
    WHEN 'update' THEN SELECT p_result INTO result FROM documentdb_api.update(db, spec, docs);
    WHEN 'delete' THEN SELECT p_result INTO result FROM documentdb_api.delete(db, spec, docs);
    WHEN 'find_and_modify' THEN SELECT p_result INTO result FROM documentdb_api.find_and_modify(db, spec);
  END CASE;
  -- A write that lost a deadlock or a race (its packed state is in the answer) is undone and repeated as a whole.
  IF position('\x10636f64650004000201'::bytea in result::bytea) > 0
    OR position('\x10636f64650004000001'::bytea in result::bytea) > 0 THEN
    RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01';
  END IF;
  -- Nothing was written: a repetition may try.
  IF position('writeErrors'::bytea in result::bytea) > 0 AND position('\x106e0000000000'::bytea in result::bytea) > 0 THEN
    RETURN result::bytea;
  END IF;
  INSERT INTO muster.outcomes (session, number, reply) VALUES (sess, num, result::bytea)
    ON CONFLICT (session) DO UPDATE SET number = excluded.number, reply = excluded.reply, at = now();
  RETURN result::bytea;
END $$;
SELECT cron.alter_job(jobid, schedule := '15 seconds') FROM cron.job WHERE jobname = 'documentdb_ttl_task';
-- The bridge has indexes built when they are asked for; this is for what an end in between left.
SELECT cron.alter_job(jobid, schedule := '* * * * *') FROM cron.job WHERE jobname LIKE 'documentdb_index_build%';
`;

/** Brings a new or older cluster to what the bridge needs. Raises SqlError. */
export async function prepareSchema(sql: Sql): Promise<void> {
  await sql.exec(SCHEMA);
}

/** Marks a transaction in the session's row; part of the transaction itself. */
export const MARK: Statement = {
  name: 'mark',
  text: `INSERT INTO muster.outcomes (session, number) VALUES ($1::bytea, $2::bigint)
    ON CONFLICT (session) DO UPDATE SET number = excluded.number, reply = NULL, at = now()`,
};

const OUTCOME: Statement = {
  name: 'outcome',
  text: 'SELECT number = $2::bigint AND reply IS NULL FROM muster.outcomes WHERE session = $1::bytea',
};

/** Whether the session's transaction of this number was committed. */
export async function wasCommitted(sql: Sql, session: Buffer, number: bigint): Promise<boolean> {
  const rows: Row[] = await sql.query(OUTCOME, [session, int8(number)]);
  return rows[0]?.[0]?.[0] === 1;
}

/** Forgets sessions that no driver can ask about any more. */
export async function forgetOutcomes(sql: Sql): Promise<void> {
  await sql.exec("DELETE FROM muster.outcomes WHERE at < now() - interval '2 hours'");
}

/** A bigint parameter. */
export function int8(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}
