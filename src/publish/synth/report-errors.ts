import type { ExpectedPairError, SyntheticTable } from '../../release/index.ts'
import { escaped, shortened, words } from '../report/html.ts'
import { howChecked, howExpected, meanOf, type Quality } from './summary.ts'

/** A matrix of more attributes than this does not fit a page. */
const mostAttributes = 24
/** Above so many per cent a pair has the darkest shade. */
const darkest = 40

/** How far off each pair of attributes is expected to be, and what a check found, where one was bought. */
export function pairErrors({ check, model }: SyntheticTable, { pairs }: Quality): string {
  if (pairs.length === 0) return `<p>There is only one attribute with several values.</p>${check ? checked(check) : ''}`
  const mean = meanOf(pairs)
  const names = model.universe.attributes.filter(({ size }) => size > 1).map(({ name }) => name)
  const measured = pairs.filter(({ variation }) => variation !== undefined).length
  return `<p>${
    mean === null
      ? 'No two attributes were measured together: their joint distribution is unknown, and the model says nothing about it.'
      : `Expected total variation, from noise and chance: <b>${percent(mean)}</b> on average over the ${words(measured)} of ${words(pairs.length)} pairs that were measured together. 0% would be the private table itself.`
  }</p>
${check ? checked(check) : ''}
${mean === null ? '' : names.length <= mostAttributes ? matrix(names, pairs) : worst(pairs)}
<p class="soft">${escaped(howExpected)}</p>`
}

const percent = (share: number): string => `${words(Number((100 * share).toPrecision(2)))}%`

const checked = ({ variation, deviation, pairs, leftOut }: NonNullable<SyntheticTable['check']>): string =>
  `<p>Checked: <b>${percent(variation)}</b> ± ${percent(1.96 * deviation)} (95%)${leftOut > 0 ? ` over ${words(pairs.length)} pairs; ${words(leftOut)} more are too large` : ''}. <span class="soft">${escaped(howChecked)}</span></p>`

/** A cell per pair, in per cent; those that were measured in groups alone have a star. */
function matrix(names: readonly string[], pairs: readonly ExpectedPairError[]): string {
  const of = new Map(pairs.map((pair) => [pair.attributes.join('\n'), pair]))
  const cell = (a: string, b: string) => {
    const { variation, isCoarse } = of.get(`${a}\n${b}`)!
    if (variation === undefined) return '<td class="n soft">·</td>'
    const share = 100 * variation
    const shade = Math.min(8, Math.round((8 * share) / darkest))
    const title = `${escaped(a)} × ${escaped(b)}: ${percent(variation)}${isCoarse ? ', measured in groups' : ''}`
    return `<td class="n b${shade}" title="${title}">${share < 10 ? share.toFixed(1) : share.toFixed(0)}${isCoarse ? '*' : ''}</td>`
  }
  const line = (a: string, i: number) =>
    `<tr><th>${escaped(shortened(a, 20))}</th>${'<td></td>'.repeat(i)}${names
      .slice(i + 1)
      .map((b) => cell(a, b))
      .join('')}</tr>`
  const header = names.slice(1).map((name) => `<th class="n">${escaped(shortened(name, 14))}`)
  return `<div class="table matrix"><table><tr><th>%${header.join('')}</tr>${names.slice(0, -1).map(line).join('')}</table></div>
<p class="soft">In per cent. ${pairs.some(({ isCoarse }) => isCoarse) ? '* measured in groups of values: inside a group, the number includes only random variation. ' : ''}${pairs.some(({ variation }) => variation === undefined) ? '· never measured together.' : ''}</p>`
}

/** Of a wide table the pairs that are expected to be worst. */
function worst(pairs: readonly ExpectedPairError[]): string {
  const sorted = pairs.toSorted((x, y) => (y.variation ?? 0) - (x.variation ?? 0)).slice(0, 40)
  const line = ({ attributes, variation }: ExpectedPairError) =>
    `<tr><td>${escaped(attributes.join(' × '))}</td><td class="n">${variation === undefined ? '–' : percent(variation)}</td></tr>`
  return `<div class="table"><table><tr><th>the ${sorted.length} worst pairs<th class="n">expected</tr>${sorted.map(line).join('')}</table></div>`
}
