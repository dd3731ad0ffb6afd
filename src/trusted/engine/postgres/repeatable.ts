import { parse } from 'libpg-query'
import { problem } from '../../../schema/index.ts'
import type { Transaction } from '../../postgres/index.ts'
import { quote, unreadable } from '../sql/index.ts'

/** A part of PostgreSQL's parse tree. */
type Part = { readonly [key: string]: unknown }

/** What a SELECT reads: relations by name (a schema where it is written), and functions with their numbers of arguments. */
interface Reads {
  readonly relations: readonly { readonly schema?: string; readonly name: string; readonly isCte: boolean }[]
  readonly functions: readonly { readonly schema?: string; readonly name: string; readonly args: number }[]
}

const notRepeatable = (what: string) =>
  problem(
    'policy-invalid',
    `the source may return different rows each time it is read: it ${what}`,
    'Write its result to a table, and use that as the source.',
  )

/** What an aggregate or a window says depends on the order of the rows, and that is nobody's promise. */
const orderBound = new Set(
  'array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg xmlagg any_value row_number ntile lag lead first_value last_value nth_value'.split(
    ' ',
  ),
)
/** Stable in name, since they depend on settings that we fix: the same each time. */
const steady =
  `concat concat_ws format to_char to_date to_timestamp to_number date_trunc date_part extract timezone generate_series
  array_to_string quote_literal quote_nullable to_json to_jsonb row_to_json array_to_json json_build_object json_build_array
  jsonb_build_object jsonb_build_array json_agg jsonb_agg json_object_agg jsonb_object_agg date timestamp timestamptz text`.split(
    /\s+/,
  )
const framedByRows = 4
/** What PostgreSQL reads as a time of day that passes, wherever a text becomes a date or a time: by a cast, or beside one. */
const clockWord = /(?:^|[^a-z])(now|today|tomorrow|yesterday)(?:[^a-z]|$)/i

/**
 * What an owner's SELECT, or a view's, reads. Throws where it may give other rows each time, as far as that can be seen in its text: then
 * two answers about one fingerprint would be about two tables.
 */
export async function readsOf(sql: string): Promise<Reads> {
  const tree = await parse(sql).catch(() => {
    throw unreadable('the `sql:` of the policy fails')
  })
  const [only, ...more] = (tree.stmts ?? []) as { stmt?: Part }[]
  if (!only?.stmt?.SelectStmt || more.length > 0)
    throw problem('policy-invalid', 'the `sql:` of the policy is not one SELECT')
  const parts = [...partsOf(only.stmt)]
  for (const part of parts) {
    const fault = faultOf(part, parts)
    if (fault) throw notRepeatable(fault)
  }
  const of = (kind: string) => parts.flatMap((p) => (kind in p ? [p[kind] as Part] : []))
  const ctes = new Set(of('CommonTableExpr').map(({ ctename }) => ctename))
  return {
    relations: of('RangeVar').map(({ schemaname, relname }) => ({
      schema: schemaname as string | undefined,
      name: String(relname),
      isCte: schemaname === undefined && ctes.has(relname),
    })),
    functions: of('FuncCall').map((call) => {
      const names = nameParts(call)
      return { schema: names.at(-2), name: names.at(-1)!, args: ((call.args as unknown[]) ?? []).length }
    }),
  }
}

/** Throws where one of these functions is volatile, or stable in a way that depends on more than the data. */
export async function requireSteady(functions: Reads['functions'], all: Transaction['all']): Promise<void> {
  if (functions.length === 0) return
  const asked = functions.map(
    ({ schema, name, args }) => `(${schema ? quote(schema) : 'NULL'}, ${quote(name)}, ${args})`,
  )
  const [found] = await all(`SELECT proname FROM (VALUES ${asked.join(', ')}) AS asked(schema, name, args)
    JOIN pg_catalog.pg_proc ON proname = name AND (provariadic <> 0 OR args BETWEEN pronargs - pronargdefaults AND pronargs)
    JOIN pg_catalog.pg_namespace n ON n.oid = pronamespace AND (nspname = schema OR schema IS NULL AND pg_catalog.pg_function_is_visible(pg_proc.oid))
    WHERE provolatile = 'v' OR provolatile = 's' AND NOT (nspname = 'pg_catalog' AND proname IN (${steady.map(quote).join(', ')})) LIMIT 1`)
  if (found) throw notRepeatable(`calls ${found[0]}()`)
}

function* partsOf(value: unknown): Generator<Part> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Part
  for (const inner of Object.values(value)) yield* partsOf(inner)
}

function faultOf(part: Part, all: readonly Part[]): string | undefined {
  const { SelectStmt, FuncCall, SQLValueFunction } = part as { readonly [kind: string]: Part | undefined }
  if (Object.keys(part).some((key) => /^(Insert|Update|Delete|Merge)Stmt$|^intoClause$|^lockingClause$/.test(key)))
    return 'does more than read'
  if ('RangeTableSample' in part) return 'takes a sample'
  if (SQLValueFunction) return 'asks for the time or the user'
  const literal = ((part.A_Const as Part | undefined)?.sval as Part | undefined)?.sval
  const [, word] = clockWord.exec(String(literal ?? '')) ?? []
  if (word) return `says '${word}', which is another day tomorrow`
  const select = SelectStmt ?? (part.targetList ? part : undefined)
  if (select && !select.sortClause && (select.limitCount || select.limitOffset))
    return 'has a LIMIT without an ORDER BY'
  if (
    select &&
    !select.sortClause &&
    (select.distinctClause as Part[] | undefined)?.some((d) => Object.keys(d).length > 0)
  )
    return 'has a DISTINCT ON without an ORDER BY'
  if (!FuncCall) return undefined
  const name = nameParts(FuncCall).at(-1)!
  const over = FuncCall.over as Part | undefined
  const windows = over && [
    over,
    ...all.flatMap((p) => (over.name && (p.WindowDef as Part)?.name === over.name ? [p.WindowDef as Part] : [])),
  ]
  const isOrdered = FuncCall.agg_order || windows?.some((w) => w.orderClause)
  const isBound = orderBound.has(name) || windows?.some((w) => Number(w.frameOptions) & framedByRows)
  return isBound && !isOrdered ? `calls ${name}() without an ORDER BY` : undefined
}

const nameParts = ({ funcname }: Part): string[] =>
  (funcname as Part[]).map((n) => String((n.String as Part | undefined)?.sval ?? ''))
