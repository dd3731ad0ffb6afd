import { decimalText, type Policy } from '../../schema/index.ts'
import type { AttributeReport, PolicyReport } from '../../trusted/engine/inspect/index.ts'
import { number, percent } from '../format.ts'

/** What fits the policy badly, though nothing is wrong. For the owner alone: it has exact numbers. */
interface Warning {
  /** Absent where it is about rows. */
  readonly attribute?: string
  readonly message: string
  readonly hint: string
}

/** Warn if more than this share of an attribute's values are changed by encoding. */
const mostShare = 0.05

/** Rows that are not counted, and attributes many of whose values are changed by encoding. */
export function warningsOf({ rows, beyondUnit, attributes }: PolicyReport, { universe }: Policy): Warning[] {
  const misread = attributes.flatMap((report) => {
    const attribute = universe.attributes[universe.index.get(report.name)!]!
    return misfits(report, attribute).flatMap(({ count, what, hint }) =>
      count > mostShare * (rows - report.nulls) ? [warning(report, rows, count, what, hint)] : [],
    )
  })
  return beyondUnit > mostShare * rows ? [beyondWarning(beyondUnit, rows), ...misread] : misread
}

const beyondWarning = (count: number, rows: number): Warning => ({
  message: `${number(count)} rows (${percent(Number((count / rows).toFixed(2)))}) exceed the limit per person: counts and sums leave them out`,
  hint: 'Let more rows of a person count, at a higher price for each question, or make one row per person in a view: `sql:`.',
})

function warning({ name, nulls }: AttributeReport, rows: number, count: number, what: string, hint: string): Warning {
  const share = percent(Number((count / (rows - nulls)).toFixed(2)))
  return { attribute: name, message: `${number(count)} values of ${name} (${share}) ${what}`, hint }
}

type Attribute = Policy['universe']['attributes'][number]

function misfits(report: AttributeReport, a: Attribute): { count: number; what: string; hint: string }[] {
  const missing = a.closed ? 'the first value' : 'NULL'
  const unlisted = a.kind === 'values' && a.other ? '"other"' : missing
  return [
    {
      count: report.unparsable,
      what: `cannot be parsed as the policy says, and count as ${missing}`,
      hint: a.kind === 'date' ? dateHint(a.name) : 'Is the kind of attribute right?',
    },
    {
      count: report.unlisted,
      what: `are not listed, and count as ${unlisted}`,
      hint: 'List more of them; for a column of numbers use integer, decimal or bins.',
    },
    {
      count: report.clamped,
      what: 'lie outside the bounds, and count as the nearer bound',
      hint: 'Widen the bounds, if wider ones are public knowledge.',
    },
    { count: report.moved, what: 'are not on the grid, and count as the nearest value on it', hint: gridHint(a) },
  ]
}

/** Times of day are what a format of days cannot read. */
const dateHint = (name: string): string => {
  const column = `"${name.replaceAll('"', '""')}"`
  return `Is the format right? Of texts with a time of day keep the day: sql: ${JSON.stringify(`SELECT * REPLACE (left(${column}, 10) AS ${column}) FROM source`)} in the source.`
}

/** What to write instead of a grid that the data do not have. */
function gridHint(a: Attribute): string {
  if (a.kind === 'integer')
    return `Comparisons would be of rounded values. Use a decimal with a step, or { bins: [${a.low}, ${a.high + 1}], width: 1 }.`
  if (a.kind !== 'decimal') return ''
  const [low, high, step] = [a.low, a.high, a.step].map(decimalText)
  return `Comparisons would be of rounded values. Use a finer step if the data have one, or { bins: [${low}, ${high}], width: ${step} }.`
}
