import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Attribute, attribute, universe } from '../../schema/index.ts'
import type { CodedTable } from './table.ts'

/** The project's folder: two levels up from what is built, three from this source. */
const project = ['../../', '../../../']
  .map((up) => new URL(up, import.meta.url))
  .find((folder) => existsSync(new URL('package.json', folder)))

/** Public data sets lie beside the project, where they lie at all: they are not ours to pass on. */
const folder = new URL('../shared/data/', project ?? import.meta.url)

const files = {
  census_income: 'census_income/census9.csv.gz',
  acs2016: 'acs2016/acs2016.csv.gz',
  czech: 'czech/czech.csv',
  rochdale: 'rochdale/rochdale.csv',
  adult_pgm: 'adult_pgm/adult_pgm.csv.gz',
  adult27: 'adult27/adult27.csv.gz',
} as const
export type SharedName = keyof typeof files

/** A public data set as codes; undefined if it is not there. */
export function sharedTable(name: SharedName): CodedTable | undefined {
  const file = new URL(files[name], folder)
  if (!existsSync(file)) return undefined
  const domains = JSON.parse(readFileSync(new URL('domain.json', file), 'utf8')) as Record<string, Domain>
  const attributes = Object.entries(domains).map(([attribute, domain]) => attributeOf(attribute, domain))
  return {
    name,
    universe: universe(attributes),
    ...encode(textOf(file), attributes),
  }
}

/** Some columns of whole numbers of a public data set: by name the least, the greatest and the step; undefined if it is not there. */
export function sharedIntegers(
  path: string,
  name: string,
  columns: { readonly [name: string]: readonly [low: number, high: number, step: number] },
): CodedTable | undefined {
  const file = new URL(path, folder)
  if (!existsSync(file)) return undefined
  const [header, ...lines] = textOf(file).trimEnd().split(/\r?\n/)
  const places = Object.keys(columns).map((column) => fieldsOf(header!).indexOf(column))
  const rows = lines.map(fieldsOf)
  const ends = Object.entries(columns)
  return {
    name,
    universe: universe(
      ends.map(([column, [low, high, step]]) =>
        attribute({ kind: 'integer', name: column, low: low / step, high: high / step, closed: true }),
      ),
    ),
    rows: rows.length,
    columns: ends.map(([, [low, , step]], c) =>
      Uint16Array.from(rows, (fields) => (Number(fields[places[c]!]) - low) / step),
    ),
  }
}

const textOf = (file: URL): string => {
  const bytes = readFileSync(file)
  return (file.pathname.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** As the files beside the data say it. */
type Domain =
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'categorical'; readonly values: readonly (string | number)[] }

/** Nothing is missing in these files, so nothing is left open. */
const attributeOf = (name: string, domain: Domain): Attribute =>
  domain.type === 'integer'
    ? attribute({ kind: 'integer', name, low: domain.min, high: domain.max, closed: true })
    : attribute({ kind: 'values', name, values: domain.values.map(String), other: false, closed: true })

/** The columns of a CSV text whose header names the attributes in their order. */
export function encode(csv: string, attributes: readonly Attribute[]): { rows: number; columns: Uint16Array[] } {
  const [header, ...lines] = csv.trimEnd().split(/\r?\n/)
  const names = fieldsOf(header!)
  if (names.join() !== attributes.map((a) => a.name).join()) throw new Error(`the columns are ${names.join(', ')}`)
  const codes = attributes.map(codesOf)
  const columns = attributes.map(() => new Uint16Array(lines.length))
  for (const [row, line] of lines.entries()) {
    const fields = fieldsOf(line)
    for (const [c, column] of columns.entries()) {
      const code = codes[c]!.get(fields[c]!)
      if (code === undefined) throw new Error(`row ${row + 1}: ${names[c]} cannot be ${JSON.stringify(fields[c])}`)
      column[row] = code
    }
  }
  return { rows: lines.length, columns }
}

/** Text of a value to its code. */
function codesOf(a: Attribute): ReadonlyMap<string, number> {
  if (a.kind === 'values') return new Map(a.values.map((value, code) => [value, code]))
  if (a.kind !== 'integer') throw new Error(`no ${a.kind} attributes here`)
  return new Map(Array.from({ length: a.size }, (_, code) => [String(a.low + code), code]))
}

/** The fields of one line of CSV: quoted where they hold a comma; a quote inside quotes is doubled. */
function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
  )
}
