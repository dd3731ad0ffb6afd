import { useCallback, useRef, useState } from 'preact/hooks'
import { type PlanResponse, ServerRefusal } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import type { Answer } from './columns.ts'
import { planRequest, type Question } from './question.ts'

interface Asking {
  readonly ask: (question: Question, plan: PlanResponse | undefined) => void
  readonly isAsking: boolean
  readonly answer: Answer | undefined
  /** Why the last question was not answered as it was asked; the free answer may stand beside it. */
  readonly refusal: unknown
  /** Questions answered so far: plans are made anew after each. */
  readonly purchases: number
}

/** Columns of the picture of where the number lies. */
const densityColumns = 96

/** Asks one question at a time, and keeps the last answer. */
export function useAsking(): Asking {
  const { dataset, refreshBudget, as } = useSession()
  const [state, setState] = useState<Omit<Asking, 'ask'>>({
    isAsking: false,
    answer: undefined,
    refusal: undefined,
    purchases: 0,
  })
  const isBusy = useRef(false)
  const ask = useCallback(
    async (question: Question, plan: PlanResponse | undefined) => {
      const request = planRequest(question, as)
      if (isBusy.current || !request) return
      isBusy.current = true
      setState((before) => ({ ...before, isAsking: true, refusal: undefined }))
      const done = (outcome: Pick<Asking, 'answer' | 'refusal'>) =>
        setState(({ purchases }) => ({ ...outcome, isAsking: false, purchases: purchases + 1 }))
      try {
        const answer = await dataset.ask({ ...request, explain: true, density: densityColumns })
        done({ answer: answer as Answer, refusal: undefined })
      } catch (error) {
        done({
          answer: error instanceof ServerRefusal ? (error.free as Answer | undefined) : undefined,
          refusal: error,
        })
      } finally {
        isBusy.current = false
        if (plan?.cost.epsilon !== 0) refreshBudget()
      }
    },
    [dataset, refreshBudget, as],
  )
  return { ask, ...state }
}
