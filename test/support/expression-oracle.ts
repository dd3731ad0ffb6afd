import type { Node } from '@pgsql/types'
import * as grammar from 'libpg-query'
import pg from 'pg'
import { expect } from 'vitest'
import { toNumber } from '../../src/numeric/index.ts'
import type { Computed, Constant, Value } from '../../src/query/sql/expression/scalar.ts'
import { Uncomputed } from '../../src/query/sql/scope.ts'
import { compute } from '../../src/query/sql/translation/compute.ts'
import { Work } from '../../src/query/sql/work.ts'
import { type Attribute, label, ReticentError } from '../../src/schema/index.ts'
import { draws, people, sqlLiteral } from '../system/sql-statements.ts'
import { startPostgres } from './postgres.ts'
import { RandomExpressions } from './random-expressions.ts'

/** A PostgreSQL with a table of the codes of each attribute, and expressions compared with it. */
export async function expressionOracle() {
  await grammar.loadModule()
  const database = await startPostgres()
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query("SET timezone = 'UTC'")
  for (const [name, type] of Object.entries(types)) {
    const attribute = people.attributes[people.index.get(name)!]!
    const rows = Array.from({ length: attribute.size }, (_, c) => `(${c}, ${sqlLiteral(attribute, c)}::${type})`)
    const value = type === 'text' ? 'v COLLATE "C"' : 'v'
    await client.query(
      `CREATE TABLE "of ${name}" AS SELECT c, ${value} AS "${name}" FROM (VALUES ${rows.join(', ')}) t(c, v)`,
    )
  }
  // One row at a time, an error of its data is NULL.
  await client.query(`CREATE FUNCTION attempt(statement text) RETURNS text AS $$
    DECLARE result text;
    BEGIN EXECUTE statement INTO result; RETURN result; EXCEPTION WHEN data_exception THEN RETURN NULL; END $$ LANGUAGE plpgsql`)
  return {
    /** How many of so many random expressions could be compared, from a first seed on; each was the same at every cell. */
    async compare(first: number, count: number): Promise<number> {
      let compared = 0
      for (let seed = first; seed < first + count; seed++) {
        const expressions = new RandomExpressions(draws(seed))
        if (await agree(client, expressions.any(1 + (seed % 3)))) compared++
      }
      return compared
    },
    async stop() {
      await client.end()
      await database.stop()
    },
  }
}

const types: { readonly [name: string]: string } = {
  age: 'integer',
  kids: 'integer',
  pay: 'numeric(9, 2)',
  State: 'text',
  sex: 'text',
  member: 'boolean',
  seen: 'date',
}

/** Ours, at every cell; undefined where it is refused. */
async function ours(sql: string): Promise<Computed | Constant | undefined> {
  const statement = grammar.parseSync(`SELECT ${sql} FROM people`).stmts![0]!.stmt as Extract<
    Node,
    { SelectStmt: unknown }
  >
  const [target] = statement.SelectStmt.targetList as Extract<Node, { ResTarget: unknown }>[]
  const scope = {
    text: sql,
    universe: people,
    table: 'people',
    work: new Work(),
    computed: new Map(),
    notes: new Set<string>(),
  }
  const at = async (node: Node): Promise<Computed | Constant> => {
    for (;;)
      try {
        return await compute(scope, node, false)
      } catch (error) {
        if (!(error instanceof Uncomputed)) throw error
        scope.computed.set(error.node, await at(error.node))
      }
  }
  return at(target!.ResTarget.val!).catch((error) => {
    if (error instanceof ReticentError) return undefined
    throw error
  })
}

/** PostgreSQL's, at every cell in the same order; an error is NULL. */
async function theirs(client: pg.Client, sql: string, attributes: readonly Attribute[]): Promise<(string | null)[]> {
  const from = attributes.map(({ name }) => `"of ${name}"`).join(', ')
  const order = attributes.map(({ name }) => `"of ${name}".c`).join(', ')
  try {
    const { rows } = await client.query({
      text: `SELECT (${sql})::text FROM ${from} ORDER BY ${order}`,
      rowMode: 'array',
    })
    return rows.map(([text]) => text)
  } catch {
    const one = attributes.map(({ name }) => `FROM "of ${name}" WHERE c = %s`)
    const tables = attributes.map(({ name }, i) => `(SELECT * ${one[i]!}) "of ${name}"`).join(', ')
    const statement = `SELECT (${sql.replaceAll('%', '%%')})::text FROM ${tables}`
    const { rows } = await client.query({
      text: `SELECT attempt(format($1, ${order})) FROM ${from} ORDER BY ${order}`,
      values: [statement],
      rowMode: 'array',
    })
    return rows.map(([text]) => text)
  }
}

/** Quotients have at least 16 digits in PostgreSQL, 20 after the point here. */
function same(value: Value | null, text: string | null): boolean {
  if (value === null || text === null) return value === text
  if (typeof value === 'boolean') return String(value) === text
  if (typeof value === 'string') return value === text || `${value} 00:00:00` === text.slice(0, 19)
  const [a, b] = [toNumber(value), Number(text)]
  return Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(a))
}

/** PostgreSQL may leave out the failing side of an AND, and fails on a constant that no row needs: neither has to be so. */
const isLeft = (sql: string, value: Value | null, text: string | null) =>
  (value === null && /BETWEEN|IN \(|AND|OR/.test(sql)) ||
  (text === null && /[/%] 0\)|width_bucket\(-?\d+, -?\d+, -?\d+/.test(sql))

async function agree(client: pg.Client, sql: string): Promise<boolean> {
  const found = await ours(sql)
  if (found?.kind !== 'computed') return false
  // PostgreSQL has fewer functions of doubles: trunc(sign(kids), 1) is refused there.
  const expected = await theirs(client, sql, found.attributes).catch((error) => {
    if (String(error.code).startsWith('42')) return undefined
    throw error
  })
  if (!expected) return false
  const at = (cell: number) => found.values[found.places[cell]!] ?? null
  const wrong = expected.findIndex((text, cell) => !same(at(cell), text) && !isLeft(sql, at(cell), text))
  if (wrong >= 0) expect({ sql, cell: nameOf(found.attributes, wrong), value: at(wrong) }).toEqual(expected[wrong])
  return true
}

function nameOf(attributes: readonly Attribute[], cell: number): string[] {
  return attributes.toReversed().map((attribute) => {
    const code = cell % attribute.size
    cell = Math.floor(cell / attribute.size)
    return `${attribute.name} = ${label(attribute, code)}`
  })
}
