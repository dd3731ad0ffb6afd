import { open, type TreePlan, type TreeRelease } from '../../index.ts'
import { number, shortReceipt, table } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { priceText, small } from '../text/cost.ts'

interface TreeFlags extends GlobalOptions {
  of: string
  epsilon: string
  fanOut: string
  plan: boolean
  as?: string
}

/**
 * Counts of ever finer ranges of an attribute. Any range of it is a sum of a few of them, and therefore free from then on.
 *
 *     reticent release tree --of age --epsilon 0.3
 */
export async function tree(flags: TreeFlags, out: Output, signal?: AbortSignal): Promise<void> {
  const { policy, of, epsilon, fanOut, plan, as } = flags
  const options = { of: of.split(',').map((name) => name.trim()), epsilon, fanOut: Number(fanOut), as, signal }
  const data = await open(policy)
  try {
    if (plan) {
      const planned = await data.planTree(options)
      await out.result(planned, [...levelsText(planned), planText(planned)])
    } else {
      const released = await data.releaseTree(options)
      await out.result(released, levelsText(released))
      await out.note(costText(released))
    }
  } finally {
    await data.close()
  }
}

function levelsText({ levels }: TreePlan | TreeRelease): Iterable<string> {
  const rows = levels.map(({ groups, epsilon, rho, scale }) => [
    number(groups),
    rho === undefined ? number(epsilon) : small(rho),
    number(scale),
  ])
  return table(['groups', levels[0]?.rho === undefined ? 'ε' : 'ρ', 'noise scale'], rows, [true, true, true])
}

const planText = ({ cost, raised, affordable, left }: TreePlan): string =>
  `cost ${priceText(cost)}, raises the total by ${number(raised.epsilon)}; the budget ${affordable ? 'allows' : 'does not allow'} it (left: ${number(left.epsilon)})`

const costText = ({ of, cost, spent, left, receipt }: TreeRelease): string =>
  [
    `cost ${priceText(cost)} · spent ${number(spent.epsilon)} · left ${number(left.epsilon)}`,
    shortReceipt(receipt),
    `Ranges of ${of.join(' and ')} are now free: ask with --free.`,
  ].join('\n')
