import { fromNumber } from '../numeric/index.ts'
import { isInNoiseRange, type Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import type { Answer } from './answer.ts'
import { affineOf } from './column/affine.ts'
import { compose, confidenceFor } from './compose.ts'
import { bestOffer } from './price/best-offer.ts'
import { leftToAsk } from './price/budget.ts'
import { priceParts } from './price/priced-part.ts'
import { upTo3 } from './price/range.ts'
import { questionFor } from './question/questions.ts'
import type { Relative, Within } from './requirement.ts'
import type { Session } from './session.ts'

/** A question that the budget does not allow, with the best free answer, if there is one. */
export class Refusal extends ReticentError {
  readonly free: Answer | undefined

  constructor({ code, facts, message, detail, hint }: ReticentError, free: Answer | undefined) {
    super(code, facts, { message, detail, hint })
    this.free = free
  }
}

/** The same refusal, with what is available instead. */
export function refusal(
  refused: ReticentError,
  statement: Statement,
  wanted: Within | Relative,
  session: Session,
): Refusal {
  const step = questionFor(statement, { ...wanted, kind: 'free' }, session).next()
  const free = step.kind === 'answer' ? compose(statement, wanted, step.material, session) : undefined
  const affordable = affordableWithin(statement, wanted, session)
  const width = free && 'within' in free ? free.within : null
  const offers = [
    affordable === undefined
      ? ''
      : `${wanted.maxEpsilon === undefined ? 'What is left' : 'What may be spent'} buys this within ±${affordable}.`,
    width === null ? '' : `The free answer is within ±${Number(width.toPrecision(4))}.`,
  ]
  const { code, facts, message, detail } = refused
  const hint = offers.filter(Boolean).join(' ') || refused.hint
  return new Refusal(new ReticentError(code, facts, { message, detail, hint }), free)
}

/**
 * The half-width that all of what is left, or was allowed, would buy, for a statement of one part: with what the history says, or by
 * refining an earlier answer. Rounded up, so that it can be had.
 */
function affordableWithin(statement: Statement, wanted: Within | Relative, session: Session): number | undefined {
  const { book, quota } = session
  const left = Math.min(leftToAsk(book, quota).epsilon, wanted.maxEpsilon ?? Number.POSITIVE_INFINITY)
  const confidence = confidenceFor(statement, wanted)
  const [column] = statement.columns.filter((c) => c.kind === 'value')
  const affine = column && affineOf(column.expression)
  if (!(left > 0) || statement.parts.length !== 1 || affine?.part === undefined) return undefined
  const [part] = priceParts(statement, fromNumber(left), book)
  if (!isInNoiseRange(part!.law)) return undefined
  const within = bestOffer(part!, confidence, { ...session, isPlan: true }).within * Math.abs(affine.times)
  return within > 0 && Number.isFinite(within) ? upTo3(within) : undefined
}
