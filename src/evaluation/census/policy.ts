import { censusAttributes } from './attributes.ts'

const perLine = 8

function values(list: readonly string[]): string {
  if (list.length <= perLine) return `[${list.join(', ')}]`
  const lines = Array.from({ length: Math.ceil(list.length / perLine) }, (_, i) =>
    list.slice(i * perLine, (i + 1) * perLine).join(', '),
  )
  return `[\n      ${lines.join(',\n      ')},\n    ]`
}

/** The text of the census's policy file. Every attribute is closed, as nothing is missing. */
export function censusPolicy({
  source = 'census.parquet',
  ledger = 'census.ledger',
  epsilon = '1.0',
}: {
  source?: string
  ledger?: string
  epsilon?: string
} = {}): string {
  const attributes = censusAttributes.map((a) => {
    if (a.kind === 'integer') return `  ${a.name}: { integer: [${a.low}, ${a.high}], closed: true }\n`
    if (a.kind === 'values') return `  ${a.name}:\n    values: ${values(a.values)}\n    closed: true\n`
    throw new Error(`the census has no ${a.kind} attribute`)
  })
  return `# A synthetic, census-like table: invented people, public data.
dataset: census
source: { duckdb: ${source} }
privacy:
  unit: row
  neighbours: add-remove
  epsilon: ${epsilon}
attributes:
${attributes.join('')}ledger: { sqlite: ${ledger} }
`
}
