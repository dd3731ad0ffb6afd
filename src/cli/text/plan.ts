import type { Cost, Plan } from '../../index.ts'
import { number, percent, table } from '../format.ts'
import type { Text } from '../output.ts'
import { small } from './cost.ts'

/** What would be bought, and whether the budget allows it. */
export function planText({
  kind,
  cost,
  least,
  likely,
  forThousand,
  raised,
  left,
  affordable,
  parts,
  confidence,
  notes = [],
}: Plan): Text {
  if (kind === 'free') return 'earlier answers are precise enough: this would cost nothing'
  if (!affordable && parts.length === 0) return tooDear(cost, left)
  // Parts add up in ρ where there is one.
  const inRho = parts.length > 1 && cost.rho !== undefined
  const rows = parts.map((p) => [
    p.description,
    inRho ? small(p.rho ?? 0) : number(p.epsilon),
    number(p.scale),
    `±${number(p.within)}`,
  ])
  const isRange = least !== undefined && least.epsilon !== cost.epsilon
  const range = !isRange
    ? number(cost.epsilon)
    : likely
      ? `probably ${number(likely.epsilon)}, between ${number(least.epsilon)} and ${number(cost.epsilon)}`
      : `between ${number(least.epsilon)} and ${number(cost.epsilon)}`
  const verdict = affordable
    ? `the budget allows it (left: ${number(left.epsilon)})`
    : `the budget does not allow it (left: ${number(left.epsilon)})`
  return [
    ...table(['to buy', inRho ? 'ρ' : 'ε', 'noise scale', `${percent(confidence)} within`], rows, [
      false,
      true,
      true,
      true,
    ]),
    `${kind}: cost ε ${range}${inRho && least === undefined ? ` (ρ ${small(cost.rho!)})` : ''}, raises the total by ${isRange ? 'at most ' : ''}${number(raised.epsilon)}; ${verdict}`,
    ...(forThousand
      ? [
          `the price depends on the number of records (with groups: in the smallest one): for 1,000 records it is about ε ${number(forThousand.epsilon)}, for ten times as many a tenth of that. Ask for their number first, and the plan can give a price.`,
        ]
      : []),
    ...notes,
  ]
}

/** Where the numbers of records leave no way to it; a price that is not known is given as all that is left. */
const tooDear = (cost: Cost, left: Cost): string =>
  cost.epsilon > left.epsilon
    ? `this costs about ε ${number(cost.epsilon)}; the budget does not allow it (left: ${number(left.epsilon)})`
    : `this may cost more than the ε ${number(left.epsilon)} that is left: there may be too few records for this precision`
