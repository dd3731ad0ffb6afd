import { ask } from '../../../answer/index.ts'
import { fromNumber, rational } from '../../../numeric/index.ts'
import { countAll, type Interval, type LinearQuery } from '../../../query/index.ts'
import { ReticentError } from '../../../schema/index.ts'
import { unitsToNumber } from '../../../trusted/accounting/index.ts'
import { openTable, statementOf } from '../table.ts'
import type { System } from './baselines.ts'
import { type AgeTable, ages, cells, confidence } from './workload.ts'

/**
 * The product's own loop: history, choice, meter, ledger. Its noise comes from the operating system and takes no seed.
 * With `tree`, a partition tree is bought first for that ε, as in §6.4.1.
 */
export async function reticent(options: {
  readonly table: AgeTable
  readonly budget: number
  readonly random: () => number
  readonly tree?: number
}): Promise<System & { kinds: ReadonlyMap<string, number> }> {
  const { table, budget, random, tree } = options
  const session = await openTable({ rows: table.rows, universe: ages, epsilon: fromNumber(budget), random })
  const { book, meter } = session
  if (tree !== undefined) await (await meter()).measure({ charges: treeCharges(tree), analyst: null, statement: null })
  const kinds = new Map<string, number>()
  return {
    name: 'Reticent',
    kinds,
    spent: () => unitsToNumber(book.spent().epsilon),
    answer: async ({ query, within }) => {
      try {
        const answer = await ask(statementOf(query), { kind: 'within', within, confidence }, session)
        kinds.set(answer.kind, (kinds.get(answer.kind) ?? 0) + 1)
        return (answer as { estimate: number }).estimate
      } catch (error) {
        if (error instanceof ReticentError && error.code === 'budget-exceeded') return undefined
        throw error
      }
    },
  }
}

/** Every level is a partition, so a record pays once on each of them; the scale is a whole number, rounded up. */
function treeCharges(epsilon: number) {
  const levels = treeLevels()
  const law = { kind: 'laplace', scale: rational(Math.ceil(levels.length / epsilon)) } as const
  return levels.map((query) => ({ query, law }))
}

/** Halves of halves of the cells, one grouping per level (Hay et al.); the last is the histogram itself. */
export function treeLevels(): LinearQuery[] {
  const levels: LinearQuery[] = []
  for (let groups: Interval[] = [{ kind: 'interval', from: 0, to: cells - 1 }]; ; groups = groups.flatMap(halves)) {
    if (groups.length >= cells) return [...levels, { ...countAll, by: [{ attribute: 'age' }] }]
    levels.push({ ...countAll, by: [{ attribute: 'age', groups }] })
  }
}

function halves({ kind, from, to }: Interval): Interval[] {
  const middle = Math.floor((from + to) / 2)
  return from === to
    ? [{ kind, from, to }]
    : [
        { kind, from, to: middle },
        { kind, from: middle + 1, to },
      ]
}
