import { Copy } from '../../parts/copy.tsx'
import { Price } from '../../parts/cost.tsx'
import { KindMark, kindMeaning } from '../../parts/mark.tsx'
import { costText } from '../../parts/number.ts'
import { type Answer, columnsOf, isGrouped } from '../columns.ts'
import { answerText } from './answer-text.ts'
import { GroupsAnswer } from './groups-answer.tsx'
import { NumberAnswer } from './number-answer.tsx'
import { Why } from './why.tsx'

/** What was answered, how sure it is, what it cost and what it was made of. */
export function AnswerCard({ answer, stale }: { readonly answer: Answer; readonly stale: boolean }) {
  const columns = columnsOf(answer)
  const grouped = columns.filter(isGrouped)
  return (
    <section
      class={`card stack answer ${stale ? 'stale' : ''}`}
      data-of={answer.query}
      aria-label="Answer"
      aria-live="polite"
    >
      <div class="answer-head">
        {stale ? (
          <p class="answer-query mono" title={answer.query}>
            {answer.query}
          </p>
        ) : (
          <h2>Answer</h2>
        )}
        <Copy text={() => answerText(answer)}>Copy</Copy>
        <Copy text={() => JSON.stringify(answer, null, 1)}>JSON</Copy>
      </div>
      {grouped.length > 0 ? (
        <GroupsAnswer key={answer.query} answer={answer} columns={grouped} />
      ) : (
        columns.map((column) =>
          isGrouped(column) ? null : (
            <NumberAnswer
              key={column.name}
              column={column}
              confidence={answer.confidence}
              {...(columns.length > 1 && { title: column.name })}
            />
          ),
        )
      )}
      <div class="answer-foot">
        <p>
          <KindMark kind={answer.kind} /> <span class="soft">{kindMeaning(answer.kind)}</span>
          {answer.cost.epsilon > 0 && (
            <span class="nowrap">
              {' · '}
              <Price epsilon={answer.cost.epsilon} />
            </span>
          )}{' '}
          <span class="soft nowrap">· {costText(answer.left.epsilon)} left</span>
        </p>
      </div>
      {grouped.length > 0 && (
        <p class="small soft">
          {answer.simultaneous ? 'All intervals hold at once' : 'Each interval holds by itself'} with{' '}
          {100 * answer.confidence}% confidence.
        </p>
      )}
      <Why answer={answer} />
    </section>
  )
}
