import { useEffect, useState } from 'preact/hooks'
import { ServerRefusal } from '../../src/client/index.ts'
import type { Route } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { Failure } from '../parts/failure.tsx'
import { sentenceOf } from '../sql/read-sentence.ts'
import { type Sentence, sqlOf } from '../sql/sentence.ts'
import { AnswerCard } from './answer/answer-card.tsx'
import { AskButton } from './ask-button.tsx'
import { Builder } from './builder.tsx'
import { Editor } from './editor.tsx'
import { Examples } from './examples.tsx'
import { MistakeLine, mistakeIn } from './mistake.tsx'
import { ModelEstimate } from './model-estimate.tsx'
import { PlanDetails, PlanLine } from './plan-words.tsx'
import { Precision } from './precision.tsx'
import { PriceCurve } from './price-curve.tsx'
import { useAsking } from './use-asking.ts'
import { useQuestion } from './use-question.ts'

/** Ask: a question, what it costs at every precision, and the answer. */
export function AskPage({ parameters }: Pick<Route, 'parameters'>) {
  const asking = useAsking()
  const { question, change, plan, curve, error, isPlanning } = useQuestion(parameters, asking.purchases)
  const { answer, refusal } = asking
  const mistake = mistakeIn(error, question.sql)
  // Nothing is bought before its price is on the screen.
  const ask = () => {
    if (!isPlanning) asking.ask(question, plan)
  }
  const isEmpty = question.sql.trim() === ''
  const isPriced = !isEmpty && question.epsilon === undefined && (curve !== undefined || error === undefined)
  useEffect(() => {
    document.title = 'Ask · Reticent'
  }, [])
  return (
    <div class="stack">
      <h1 class="hidden-visually">Ask</h1>
      <section class="card stack" aria-label="Question">
        <div>
          <QuestionField sql={question.sql} change={(sql) => change({ sql })} ask={ask} wrongAt={mistake?.at} />
          <div id="mistake" class="mistake" aria-live="polite">
            {mistake && <MistakeLine mistake={mistake} change={(sql) => change({ sql })} />}
            {!mistake && error instanceof ServerRefusal && <Failure error={error} />}
          </div>
        </div>
        <div class="ask-bar">
          <Precision question={question} curve={curve} change={change} />
          <div class={`plan-line ${isPlanning ? 'waiting' : ''}`} data-of={plan?.query} aria-live="polite">
            {!isEmpty && !error && <PlanLine plan={plan} />}
          </div>
          <AskButton
            plan={plan}
            isAsking={asking.isAsking}
            isPlanning={isPlanning}
            disabled={isEmpty || mistake !== undefined}
            ask={ask}
          />
        </div>
      </section>
      {refusal !== undefined && <Failure error={refusal} />}
      <ModelEstimate key={question.sql} sql={question.sql} refusal={refusal} />
      {isEmpty && <Examples choose={(sql) => change({ sql, within: undefined, epsilon: undefined })} />}
      <div class={`columns ${answer ? 'answered' : ''}`}>
        {isPriced && (
          <section class="card five" aria-label="Price">
            <h2>Price of precision</h2>
            {curve ? (
              <PriceCurve curve={curve} within={question.within} change={(within) => change({ within })} />
            ) : (
              <div class="skeleton curve-place" aria-hidden="true" />
            )}
          </section>
        )}
        <div class={isPriced ? 'seven' : ''}>
          {answer ? (
            <AnswerCard answer={answer} stale={answer.query.trim() !== question.sql.trim()} />
          ) : (
            plan && (
              <section class="card" aria-label="Plan">
                <PlanDetails plan={plan} curve={curve} />
              </section>
            )
          )}
        </div>
      </div>
    </div>
  )
}

interface QuestionFieldProps {
  readonly sql: string
  readonly change: (sql: string) => void
  readonly ask: () => void
  readonly wrongAt: number | undefined
}

/** SQL, or the sentence that writes it. */
function QuestionField({ sql, change, ask, wrongAt }: QuestionFieldProps) {
  const { attributes, name } = useSession().description
  const [isSentence, setSentence] = useState(false)
  const sentence: Sentence | undefined =
    sql.trim() === '' ? { measure: 'count', where: [], by: [] } : sentenceOf(sql, name, attributes)
  const choose = (wanted: boolean) => {
    setSentence(wanted)
    if (wanted && sql.trim() === '' && sentence) change(sqlOf(sentence, name, attributes))
  }
  return (
    <div class="stack close">
      <fieldset class="segments" aria-label="Write the question as">
        <button type="button" aria-pressed={!isSentence} onClick={() => choose(false)}>
          SQL
        </button>
        <button type="button" aria-pressed={isSentence} onClick={() => choose(true)}>
          Sentence
        </button>
      </fieldset>
      {isSentence && sentence && (
        <Builder sentence={sentence} change={(next) => change(sqlOf(next, name, attributes))} />
      )}
      {isSentence && !sentence && (
        <p class="notice small">
          This question says more than a sentence can.{' '}
          <button
            type="button"
            class="link"
            onClick={() => change(sqlOf({ measure: 'count', where: [], by: [] }, name, attributes))}
          >
            Begin a new sentence
          </button>
        </p>
      )}
      <Editor value={sql} change={change} ask={ask} wrongAt={wrongAt} describedBy="mistake" />
    </div>
  )
}
