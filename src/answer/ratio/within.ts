import type { Statement } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import type { Spending } from '../../trusted/accounting/index.ts'
import type { Meter } from '../../trusted/meter/index.ts'
import type { Answer, Plan } from '../answer.ts'
import { compose, isSimultaneous } from '../compose.ts'
import { halfWidth } from '../interval.ts'
import type { Asking, Within } from '../precise.ts'
import { costOf, leftToAsk, outlook } from '../price/cost.ts'
import type { Needs } from '../price/needs.ts'
import { buy, purchasesOf, reportOf } from '../price/purchase.ts'
import { RatioQuestion } from './question.ts'

/**
 * Answers with ratios within ± `within`: free where the history is precise enough, else from a purchase made for it and
 * used alone, after at most a few cheap ones that tell how large the denominators are.
 */
export async function askRatios(
  statement: Statement,
  wanted: Within,
  needs: Needs,
  asking: Asking & { meter: Meter },
): Promise<Answer> {
  const { book, quota, meter } = asking
  const question = new RatioQuestion(statement, wanted, needs, asking)
  const free = question.free()
  if (free) return compose(statement, wanted, free, book)
  let before: Spending | undefined
  for (;;) {
    const step = question.next()
    if (step.kind === 'refuse') throw tooDear(step.price, question.spent, wanted, asking)
    if (step.kind === 'look') {
      const receipt = await meter.measure({
        charges: step.looks.map(({ charge }) => charge),
        analyst: quota,
        statement: statement.text,
      })
      before ??= receipt.before
      question.learn(step.looks, receipt.measurements)
      continue
    }
    const { measurements, bought } = await buy(step.chosen, { meter, quota, statement: statement.text })
    const known = question.answered(step.chosen, measurements, { ...bought!, before: before ?? bought!.before })
    return compose(statement, wanted, known, book)
  }
}

/** What the next purchase would be, and from what to what all of them may cost. */
export function planRatios(statement: Statement, wanted: Within, needs: Needs, asking: Asking): Plan {
  const { book, quota, approve } = asking
  const question = new RatioQuestion(statement, wanted, needs, asking)
  const common = {
    query: statement.text,
    confidence: wanted.confidence,
    ...(isSimultaneous(statement, wanted) ? { simultaneous: true as const } : {}),
  }
  if (question.free())
    return {
      ...common,
      kind: 'free',
      cost: costOf({ epsilon: 0, rho: 0 }, book),
      ...outlook([], book, quota),
      parts: [],
    }
  const step = question.next()
  if (step.kind === 'refuse') {
    const cost = step.price ? costOf(step.price, book) : leftToAsk(book, quota)
    return { ...common, kind: 'fresh', cost, raised: cost, affordable: false, left: leftToAsk(book, quota), parts: [] }
  }
  const purchases =
    step.kind === 'close'
      ? step.chosen
      : step.looks.map(({ query, charge, price }) => ({ query, choice: { kind: 'fresh' as const, charge, price } }))
  const charges = purchasesOf(purchases).map(({ charge }) => charge)
  approve?.(charges)
  const { least, most } = question.range(step)
  return {
    ...common,
    kind: 'fresh',
    cost: most,
    least,
    ...outlook(charges, book, quota),
    // What comes after a look is not known yet; it raises by no more than it costs.
    ...(step.kind === 'look' ? { raised: most } : {}),
    parts: purchases.map((part) => ({
      ...reportOf(part, book),
      within: part.choice.kind === 'free' ? 0 : halfWidth(part.choice.charge, question.confidence),
    })),
  }
}

function tooDear(
  price: Spending | undefined,
  paid: Spending,
  { maxEpsilon }: Within,
  { book, quota }: Asking,
): ReticentError {
  const asked = price && costOf(price, book).epsilon
  const spent = costOf(paid, book).epsilon
  const left = Math.min(leftToAsk(book, quota).epsilon, (maxEpsilon ?? Number.POSITIVE_INFINITY) - spent)
  return new ReticentError(
    'budget-exceeded',
    { ...(asked === undefined ? {} : { asked }), left, spent },
    {
      message:
        asked === undefined
          ? `there may be too few records for this precision: ${left} may be spent, and that does not tell`
          : `as far as is known about the numbers of records, this precision costs ε = ${asked}, and ${left} may be spent`,
      detail: spent > 0 ? `To find out, ε = ${spent} was spent; what it told is in the history.` : undefined,
      hint: 'Ask for less precision; with --floor F, ratios over fewer than F records need not be so precise.',
    },
  )
}
