import type { Grouping } from '../../query/index.ts'
import { type MeasuredBesideModel, type SyntheticTable, summedOver } from '../../release/index.ts'
import { type Attribute, label } from '../../schema/index.ts'
import { barChart, mostBars } from '../report/bars.ts'
import { notesOf, type ShownAxis, shownAxis } from '../report/groups.ts'
import { heatMap } from '../report/heat-map.ts'
import { escaped, words } from '../report/html.ts'
import type { Quality } from './summary.ts'

/** So many attributes and pairs are drawn; so many groups along an axis of a heat map. */
const [mostAttributes, mostPairs, mostGroups] = [60, 60, 24]
/** So many are seen at once; the others can be opened. */
const atOnce = 12
/** 95% of normal noise is within so many deviations. */
const deviations = 1.96

/** Every attribute: what the model says, and what was measured of it, if it was. */
export function oneWayFigures({ model }: SyntheticTable, { tables }: Quality): string {
  const { attributes } = model.universe
  const figures = attributes.slice(0, mostAttributes).map((attribute, place) => {
    const counts = model.marginal([place])
    const measured = bestOf(tables, attribute, model.universe)
    const axis = shownAxis(attribute, counts, mostBars)
    const bars = axis.groups.map(({ label, codes }) => {
      const within = measured ? deviations * measured.deviation * Math.sqrt(codes.length) : 0
      const middle = measured && sum(codes, measured.measured)
      const interval =
        middle === undefined ? undefined : ([Math.max(0, middle - within), Math.max(0, middle + within)] as const)
      return { label, value: Math.max(0, sum(codes, counts)), interval }
    })
    const noise = measured ? `measured with noise of sd ${words(measured.deviation)}` : 'not measured'
    return figure(attribute.name, [noise, notesOf([axis])], barChart(bars))
  })
  const left = attributes.length - figures.length
  return `${folded(figures, 'attributes')}${left > 0 ? `<p class="soft">${left} more attributes are not shown.</p>` : ''}`
}

/** The first ones, and the others to be opened. */
function folded(figures: readonly string[], what: string): string {
  const rest = figures.slice(atOnce)
  if (rest.length === 0) return figures.join('\n')
  return `${figures.slice(0, atOnce).join('\n')}
<details><summary>${rest.length} more ${what}</summary>
${rest.join('\n')}
</details>`
}

/** What tells an attribute's counts best: its own table, or a larger one that is summed up. */
function bestOf(
  tables: Quality['tables'],
  attribute: Attribute,
  universe: SyntheticTable['model']['universe'],
): MeasuredBesideModel | undefined {
  const found = tables.flatMap((table) => summedOver(table, [attribute.name], universe) ?? [])
  const whole = found.filter(({ query }) => isAll(query.by[0]!, attribute))
  return whole.sort((a, b) => a.deviation - b.deviation)[0]
}

/** Pairs that were measured, those first that are expected to be furthest off: two heat maps of each. */
export function pairFigures({ model: { universe } }: SyntheticTable, { tables, pairs: expected }: Quality): string {
  const errors = new Map(
    expected.map(({ attributes, variation }) => [attributes.toSorted().join('\n'), variation ?? 0]),
  )
  const errorOf = ({ query }: MeasuredBesideModel) => errors.get(namesOf(query.by).toSorted().join('\n')) ?? 0
  const pairs = tables.filter(({ query }) => query.by.length === 2).sort((a, b) => errorOf(b) - errorOf(a))
  if (pairs.length === 0) return '<p>None was measured.</p>'
  const figures = pairs.slice(0, mostPairs).map((table) => {
    const [first, second] = table.query.by.map(({ attribute }) => universe.attributes[universe.index.get(attribute)!]!)
    return pairFigure(table, [first!, second!])
  })
  const left = pairs.length - figures.length
  return `${folded(figures, 'pairs')}${left > 0 ? `<p class="soft">${left} more pairs were measured; the .synth.json file lists them.</p>` : ''}`
}

function pairFigure(table: MeasuredBesideModel, attributes: readonly [Attribute, Attribute]): string {
  const { query, model, measured, deviation, misfit } = table
  const sizes = query.by.map((grouping, i) => grouping.groups?.length ?? attributes[i]!.size) as [number, number]
  const axes = query.by.map((grouping, i) => axisOf(grouping, attributes[i]!, totals(model, sizes, i)))
  const [down, across] = axes as [ShownAxis, ShownAxis]
  const drawn = (values: Float64Array) => {
    const sums = down.groups.map((row) =>
      across.groups.map((column) => {
        let total = 0
        for (const i of row.codes) for (const j of column.codes) total += values[i * sizes[1] + j]!
        return Math.max(0, total)
      }),
    )
    return heatMap(down, across, sums, { half: true, least: Math.max(1, deviation) })
  }
  const notes = [
    `noise of sd ${words(deviation)} in each of ${words(model.length)} cells`,
    `model and measured differ by ${words(misfit)} sd${misfit > 1.5 ? ', more than noise explains' : ''}`,
    notesOf(axes),
  ]
  const title = namesOf(query.by).join(' × ')
  return figure(
    title,
    notes,
    `<div class="beside"><div><small>model</small>${drawn(model)}</div><div><small>measured</small>${drawn(measured)}</div></div>`,
  )
}

const figure = (title: string, notes: readonly string[], picture: string): string =>
  `<figure><figcaption><h3>${escaped(title)}</h3><small>${notes.filter(Boolean).map(escaped).join(' · ')}</small></figcaption>
${picture}</figure>`

const namesOf = (by: readonly Grouping[]): string[] => by.map(({ attribute }) => attribute)

const isAll = ({ attribute, groups }: Grouping, { name }: Attribute): boolean => attribute === name && !groups

const sum = (places: readonly number[], values: ArrayLike<number>): number =>
  places.reduce((total, place) => total + values[place]!, 0)

function totals(values: Float64Array, [rows, columns]: readonly [number, number], axis: number): Float64Array {
  const sums = new Float64Array(axis === 0 ? rows : columns)
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) sums[axis === 0 ? i : j]! += values[i * columns + j]!
  return sums
}

/** An axis of what was measured: of values, or of groups of them; `codes` are places along it. */
function axisOf({ groups }: Grouping, attribute: Attribute, along: Float64Array): ShownAxis {
  if (!groups) return shownAxis(attribute, along, mostGroups)
  const labels = groups.map((group) => {
    const codes = group.kind === 'interval' ? [group.from, group.to] : group.codes
    const named = (code: number) => label(attribute, code) ?? 'NULL'
    const [first, last] = [named(codes[0]!), named(codes.at(-1)!)]
    if (first === last) return first
    return group.kind === 'interval'
      ? `${first}–${last}`
      : codes.length > 2
        ? `${first}, … ${codes.length}`
        : `${first}, ${last}`
  })
  const width = Math.ceil(labels.length / mostGroups)
  const shown = Array.from({ length: Math.ceil(labels.length / width) }, (_, i) => {
    const codes = Array.from({ length: Math.min(width, labels.length - i * width) }, (_, k) => i * width + k)
    return { label: labels[codes[0]!]!, codes }
  })
  return { name: attribute.name, groups: shown, note: `measured in ${words(groups.length)} groups` }
}
