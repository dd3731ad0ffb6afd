import { basename } from 'node:path'
import { fromNumber } from '../../../numeric/index.ts'
import { decimalText, maxCodes, type Source } from '../../../schema/index.ts'
import { databaseOf } from '../open.ts'
import type { FileReport } from '../sql/index.ts'
import { type DraftedBins, roundOut } from './bins.ts'
import { type ColumnReport, dayPart, mostListed } from './column.ts'
import { inspect } from './inspect.ts'
import type { NumbersReport } from './numbers.ts'

const review = '# review'
/**
 * Drafts a policy from the data, for its owner alone. Bounds and lists come from the data, so each is marked for review:
 * a domain must be public knowledge, and `ask` refuses while a mark is left.
 * `place` is how the file names its source: a path relative to the policy, say. No text: the source cannot be read, and `files` say why.
 */
export async function draftPolicy(
  source: Source,
  place = source.kind === 'duckdb' ? source.path : source.url,
  signal?: AbortSignal,
): Promise<Draft> {
  const named = await withTable(source)
  const { readable, columns, rows, files } = await inspect(named, signal)
  return { files, ...(readable && { text: policyText(named, place, columns, rows) }) }
}

interface Draft {
  readonly files: readonly FileReport[]
  readonly text?: string
}

/** Names the only table of a database, as a policy must. */
async function withTable(source: Source): Promise<Source> {
  if (source.table !== undefined || source.sql !== undefined) return source
  const database = await databaseOf(source)
  const tables = await database.tables(await database.look(new Uint8Array(32)))
  return tables.length === 1 ? { ...source, table: tables[0]! } : source
}

function policyText(source: Source, place: string, columns: readonly ColumnReport[], rows: number): string {
  const usable = columns.filter((c) => !identifies(c, rows))
  const dataset = datasetName(source.table === undefined ? fileName(place) : tableName(source.table))
  const person = personOf(columns, rows)
  // An SQL of the source's own is the owner's: it is not touched.
  const timed = columns.filter((c) => c.days?.isTimed && usable.includes(c))
  const canConvert = source.kind === 'duckdb' && source.sql === undefined
  const view = timed.length > 0 && canConvert ? { sql: daysAlone(timed.map(({ name }) => name)) } : {}
  const line = (c: ColumnReport) =>
    !usable.includes(c)
      ? leftOut(c, 'it looks like an identifier')
      : c.days?.isTimed && !canConvert
        ? leftOut(c, 'its texts have a time of day; convert them to dates in an `sql:` of the source')
        : attributeLine(c, source)
  return `# Drafted from the data. Every line marked "${review.slice(2)}" comes from the data, and a policy is public:
# replace it by what is publicly known anyway, then delete the mark.
dataset: ${dataset}
source: ${sourceText({ ...source, ...view }, place)}
privacy:
  unit: row ${review}: is one person one row? If not: { column: ${person ? scalar(person.name) : 'person_id'}, rows: 4 }
  neighbours: add-remove
  epsilon: 1.0
attributes:
${columns.map(line).join('\n')}
ledger: { sqlite: ${dataset}.ledger }
`
}

/** Who a record is about: somebody whose number is in several of them, rather than what numbers the records. */
function personOf(columns: readonly ColumnReport[], rows: number): ColumnReport | undefined {
  const candidates = columns.filter((c) => identifies(c, rows) || (isCalledId(c.name) && c.distinct > mostListed))
  const repeats = (c: ColumnReport) => c.distinct < 0.8 * rows
  return (
    candidates.find((c) => repeats(c) && isCalledId(c.name)) ?? candidates[0] ?? columns.find((c) => isCalledId(c.name))
  )
}

const isCalledId = (name: string): boolean =>
  /(^|_|\b)(id|nr|no|number|key)$/i.test(name) || /[a-z](Id|Nr|No|Number|Key)$/.test(name)

/** The source as the policy writes it. */
function sourceText({ kind, ...source }: Source, place: string): string {
  const { path: _, url: __, session, ...rest } = { path: '', url: '', session: undefined, ...source }
  const texts = Object.entries({ [kind]: place, ...rest }).map(([key, value]) => `${key}: ${scalar(String(value))}`)
  return `{ ${texts.join(', ')} }`
}

/** Reserved words of SQL that a file may well be called. */
const reserved =
  /^(all|any|array|case|check|column|create|default|desc|end|from|group|limit|new|offset|order|primary|references|select|table|union|user|where|window|with)$/

const fileName = (path: string): string => basename(path).replace(/(\.[a-z]+)(\.gz)?$/i, '')
/** Without its schema. */
const tableName = (table: string): string => table.slice(table.lastIndexOf('.') + 1)

/** A name that SQL takes without quotes. */
function datasetName(of: string): string {
  const name = of
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
  return /^[a-z]/.test(name) && !reserved.test(name) ? name : `data_${name}`.replace(/_$/, '')
}

/**
 * Text that nearly every record has for itself, many whole numbers that are called so, or whole numbers that leave hardly a gap:
 * 1, 2, 3, … Amounts differ from record to record too, and are worth asking about.
 */
function identifies(c: ColumnReport, rows: number): boolean {
  if (c.comma || c.truth || c.days !== undefined) return false
  // Databases estimate the number of different values, texts' to some 20%.
  const isOwn = c.distinct >= 0.8 * (rows - c.nulls)
  const isMany = c.distinct > mostListed
  // In a small table a list of all values would be a list of its people.
  if (c.numbers === undefined) return (isOwn && c.distinct >= fewPeople) || (isMany && (isOwn || isCalledId(c.name)))
  const { low, high, decimals } = c.numbers
  return isMany && decimals === 0 && (isCalledId(c.name) || (isOwn && high - low < 2 * rows))
}
/** Of fewer different texts nothing can be said. */
const fewPeople = 10

function attributeLine(c: ColumnReport, source: Source): string {
  if (c.unreadable) return leftOut(c, `its type, ${c.type}, cannot be read; convert it in an \`sql:\` of the source`)
  const domain = domainOf(c)
  if (c.comma) return leftOut(c, `its numbers have a decimal comma; ${readAs(withPoint(c.name), c.name, source)}`)
  // Such a name is refused by the policy's reader.
  if (!domain || c.name in {}) return leftOut(c, domain ? 'its name cannot be used' : tooManyValues(c))
  const others = c.numbers?.others ?? 0
  const missing = c.numbers?.missing
  const note = missing
    ? `: does ${missing.value} stand for a missing value? The next is ${missing.next}; ${readAs(asNull(c, missing.value), c.name, source)}`
    : others > 0 && !c.days
      ? ': some values are not numbers, and would count as NULL'
      : ''
  return `  ${scalar(c.name)}: { ${domain} } ${review}${inComment(note)}`
}
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
/** What to write in the source for a column to be read as an expression. REPLACE is DuckDB's own word. */
const readAs = (expression: string, column: string, { kind }: Source): string =>
  kind === 'duckdb'
    ? `in the source say: sql: ${scalar(`SELECT * REPLACE (${expression} AS ${quoted(column)}) FROM source`)}`
    : `in an \`sql:\` of the source select ${expression} AS ${quoted(column)}`

/** Numbers with a decimal point. */
const withPoint = (name: string) => `replace(${quoted(name)}, ',', '.')`

/** NULL in place of a number. */
const asNull = ({ name, type }: ColumnReport, value: number) =>
  `nullif(${quoted(name)}, ${/char|text|string/i.test(type) ? `'${value}'` : value})`

/** A view in which texts with a time of day are those of the days. */
const daysAlone = (names: readonly string[]) =>
  `SELECT * REPLACE (${names.map((name) => `${dayPart(quoted(name))} AS ${quoted(name)}`).join(', ')}) FROM source`

/** A column of which one may ask once somebody has chosen what to tell apart. */
const tooManyValues = ({ name }: ColumnReport) => {
  const file = `file:${name.toLowerCase().replace(/[^a-z0-9]+/g, '_')}.txt`
  return `it has too many values to list here, or none; list them in a file, one a line: { values: ${file}, other: true }`
}
const leftOut = (c: ColumnReport, why: string) => `  # ${scalar(c.name)}: left out, ${inComment(why)}`
/** On one line, whatever a column or a type is called. */
const inComment = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')

function domainOf(c: ColumnReport): string | undefined {
  if (c.truth && c.numbers === undefined) return 'boolean: true'
  if (c.days) return dateDomain(c.days)
  if (c.bins) return binsDomain(c.bins)
  if (c.numbers) return gridDomain(c.numbers)
  if (!c.values || c.values.length === 0) return undefined
  const other = c.values.includes('other') ? '' : ', other: true'
  return `values: [${c.values.map(scalar).join(', ')}]${other}`
}

/** Bounds at round numbers, and the precision that the data have. */
function gridDomain({ low, high, decimals }: NumbersReport): string | undefined {
  if (decimals === undefined || (high - low) * 10 ** decimals > maxCodes / 2) return undefined
  const step = 10 ** -decimals
  const bounds = roundOut(low, high, step)
  if (decimals === 0) return `integer: [${bounds.low}, ${bounds.high}]`
  return `decimal: [${bounds.low.toFixed(decimals)}, ${bounds.high.toFixed(decimals)}], step: ${step.toFixed(decimals)}`
}

/** A number that is round, but for the last digits of a double. */
const written = (value: number): string => decimalText(fromNumber(Number(value.toPrecision(12))))

function binsDomain(bins: DraftedBins): string {
  if ('edges' in bins) return `bins: [${bins.edges.map(written).join(', ')}]`
  return `bins: [${written(bins.low)}, ${written(bins.high)}], width: ${written(bins.width)}`
}

function dateDomain({ from, to, format }: NonNullable<ColumnReport['days']>): string {
  return `date: [${from.slice(0, 4)}-01-01, ${to.slice(0, 4)}-12-31], by: month, format: ${scalar(format)}`
}

/** A text as YAML: plain where it cannot be taken for anything else. */
const scalar = (text: string): string =>
  /^[A-Za-z_./][\w ./-]*\w$/.test(text) && !/^(true|false|null|yes|no|on|off|nan|inf)$/i.test(text)
    ? text
    : JSON.stringify(text)
