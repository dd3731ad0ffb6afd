import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Curve, PlanResponse } from '../../src/client/index.ts'
import { hashOf, replaceHash } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { useAsync } from '../parts/use-async.ts'
import {
  changed,
  measureOf,
  modestWish,
  parametersOf,
  planRequest,
  type Question,
  questionOf,
  suits,
} from './question.ts'

/** A pause in typing after which the server is asked, in milliseconds: the plan is quick, the curve is a dozen plans. */
const pauses = { plan: 25, curve: 90 }

interface LiveQuestion {
  readonly question: Question
  readonly change: (part: Partial<Question>) => void
  readonly plan: PlanResponse | undefined
  readonly curve: Curve | undefined
  /** Why there is no plan. */
  readonly error: unknown
  /** What is asked has changed since this plan was made: its price is not known yet. */
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
  const priced = useAsync(
    isEmpty ? undefined : (signal) => dataset.curve({ sql, confidence, ...person }, { signal }),
    [dataset, sql, confidence, as, purchases],
    pauses.curve,
  )
  const curve = priced.value && suits(priced.value, sql) ? priced.value : undefined
  const cap = budget?.budget.cap.epsilon ?? 1
  const isOpen = given.within === undefined && given.epsilon === undefined
  const question = isOpen && curve ? { ...given, ...modestWish(curve, cap) } : given
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
    curve: isEmpty ? undefined : curve,
    error: isEmpty ? undefined : (plan.error ?? priced.error),
    isPlanning: plan.isLoading || isOfAnother(plan.value, sql) || (request === undefined && priced.isLoading),
  }
}

/** In the moment after a change, before the request has begun. */
const isOfAnother = (plan: PlanResponse | undefined, sql: string): boolean =>
  plan !== undefined && plan.query.trim() !== sql.trim()

const isSame = (question: Question, parameters: { readonly [name: string]: string }): boolean =>
  JSON.stringify(parametersOf(question)) === JSON.stringify(parametersOf(questionOf(parameters)))
