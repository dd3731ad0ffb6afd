import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Curve, PlanResponse } from '../../src/client/index.ts'
import { hashOf, replaceHash } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { useAsync } from '../parts/use-async.ts'
import { changed, measureOf, modestWish, parametersOf, planRequest, type Question, questionOf } from './question.ts'

/** A pause in typing after which the server is asked, in milliseconds: the plan is quick, the curve is a dozen plans. */
const pauses = { plan: 25, curve: 90 }

interface LiveQuestion {
  readonly question: Question
  readonly change: (part: Partial<Question>) => void
  readonly plan: PlanResponse | undefined
  readonly curve: Curve | undefined
  /** Why there is no plan. */
  readonly error: unknown
  /** What was asked has changed since this plan was made. */
  readonly isPlanning: boolean
}

/** The question that is being typed, kept in the address, with its plan and its price at a dozen precisions. */
export function useQuestion(parameters: { readonly [name: string]: string }, purchases: number): LiveQuestion {
  const { dataset, budget, place, setGhost, as } = useSession()
  const [given, setGiven] = useState(() => questionOf(parameters))
  // A link within the page names another question; what is typed here names itself.
  useEffect(() => setGiven((now) => (isSame(now, parameters) ? now : questionOf(parameters))), [parameters])
  const { sql, confidence } = given
  const isEmpty = sql.trim() === ''
  const person = as === undefined ? {} : { as }
  const curve = useAsync(
    isEmpty ? undefined : (signal) => dataset.curve({ sql, confidence, ...person }, { signal }),
    [dataset, sql, confidence, as, purchases],
    pauses.curve,
  )
  const cap = budget?.budget.cap.epsilon ?? 1
  const isOpen = given.within === undefined && given.epsilon === undefined
  const question = isOpen && curve.value ? { ...given, ...modestWish(curve.value, cap) } : given
  const request = isEmpty ? undefined : planRequest(question, as)
  const plan = useAsync(
    request && ((signal) => dataset.plan(request, { signal })),
    [dataset, JSON.stringify(request), purchases],
    pauses.plan,
  )
  useEffect(() => replaceHash(hashOf('ask', { ...place, ...parametersOf(given) })), [given, place])
  useEffect(() => {
    const { value } = plan
    setGhost(value && !isEmpty ? { epsilon: value.raised.epsilon, affordable: value.affordable } : undefined)
    return () => setGhost(undefined)
  }, [plan.value, isEmpty, setGhost])
  // What the half-width was chosen for.
  const meant = useRef('')
  useEffect(() => {
    if (given.within === undefined) meant.current = ''
    else meant.current ||= measureOf(sql)
  }, [given, sql])
  const change = useCallback((part: Partial<Question>) => {
    if (part.within !== undefined) meant.current = ''
    setGiven((now) => changed(now, part, meant.current))
  }, [])
  return {
    question,
    change,
    plan: isEmpty ? undefined : plan.value,
    curve: isEmpty ? undefined : curve.value,
    error: isEmpty ? undefined : (plan.error ?? curve.error),
    isPlanning: plan.isLoading || (request === undefined && curve.isLoading),
  }
}

const isSame = (question: Question, parameters: { readonly [name: string]: string }): boolean =>
  JSON.stringify(parametersOf(question)) === JSON.stringify(parametersOf(questionOf(parameters)))
