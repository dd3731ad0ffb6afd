import { useState } from 'preact/hooks'
import { type AskResponse, ServerRefusal } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { Failure } from '../parts/failure.tsx'
import { KindMark } from '../parts/mark.tsx'
import { countText, estimateText, exactText } from '../parts/number.ts'
import { keyText } from './columns.ts'

type ModelAnswer = Extract<AskResponse, { readonly kind: 'model' }>
type ModelColumn = Extract<ModelAnswer, { readonly answers: unknown }>['answers'][number]
type ModelNumber = Exclude<ModelColumn, { readonly groups: unknown }>

/** Refusals for lack of budget, or of earlier answers: the question itself is one that a model takes. */
const isOpenToModels = (refusal: unknown): boolean =>
  refusal instanceof ServerRefusal && ['budget-exceeded', 'not-estimable', 'guarded'].includes(refusal.code)

/** What a model of all released answers says to a question that was refused: only if asked, and never as an answer. */
export function ModelEstimate({ sql, refusal }: { readonly sql: string; readonly refusal: unknown }) {
  const { dataset, as } = useSession()
  const [said, setSaid] = useState<ModelAnswer>()
  const [failure, setFailure] = useState<unknown>()
  const [isAsking, setAsking] = useState(false)
  if (!isOpenToModels(refusal)) return null
  const ask = async () => {
    setAsking(true)
    try {
      setSaid((await dataset.ask({ sql, model: 'kernel', ...(as !== undefined && { as }) })) as ModelAnswer)
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    }
    setAsking(false)
  }
  if (failure !== undefined) return <Failure error={failure} />
  return (
    <section class="card stack" aria-label="A model’s estimate" aria-live="polite">
      {said ? (
        <Estimate said={said} />
      ) : (
        <p>
          <button type="button" class="button" disabled={isAsking} onClick={ask}>
            <span aria-hidden="true">◇</span> {isAsking ? 'Estimating…' : 'Let a model estimate it · free'}
          </button>{' '}
          <span class="soft">from all answers so far, without an interval</span>
        </p>
      )}
    </section>
  )
}

const firstRows = 60

function Estimate({ said }: { readonly said: ModelAnswer }) {
  const columns: readonly ModelColumn[] = 'answers' in said ? said.answers : [said]
  return (
    <>
      <h2>A model’s estimate</h2>
      {columns.map((column) =>
        'groups' in column ? (
          <div class="scrolls" key={column.name}>
            <table class="plain groups">
              <thead>
                <tr>
                  {(said.keys ?? []).map((key) => (
                    <th key={key}>{key}</th>
                  ))}
                  <th class="numeric">{column.name}, by the model</th>
                </tr>
              </thead>
              <tbody>
                {column.groups.slice(0, firstRows).map(({ key, ...number }) => (
                  <tr key={JSON.stringify(key)}>
                    {Object.entries(key).map(([name, value]) => (
                      <th key={name} scope="row">
                        {keyText(value)}
                      </th>
                    ))}
                    <td class="numeric">{numberText(number)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {column.groups.length > firstRows && (
              <p class="small soft">
                The first {firstRows} of {countText(column.groups.length)} groups.
              </p>
            )}
          </div>
        ) : (
          <p key={column.name}>
            {columns.length > 1 && <span class="soft">{column.name} </span>}
            <strong>{numberText(column)}</strong>
          </p>
        ),
      )}
      {said.warnings?.map((warning) => (
        <p key={warning} class="small soft">
          {warning}
        </p>
      ))}
      <p>
        <KindMark kind="model" />{' '}
        <span class="soft">
          an estimate, not an answer: the error is what the kernel model expects, without any guarantee
        </span>
      </p>
    </>
  )
}

const numberText = ({ estimate, error }: Pick<ModelNumber, 'estimate' | 'error'>): string =>
  error === undefined
    ? estimateText(estimate, null)
    : `${estimateText(estimate, error)} · typically off by ${exactText(Number(error.toPrecision(2)))}`
