import type { DatasetDescription } from '../../src/client/index.ts'
import { costText } from '../parts/number.ts'

type PromiseMade = DatasetDescription['promise']

/** The promise in plain words, with the symbols on demand. */
export function Promised({ promise }: { readonly promise: PromiseMade }) {
  const { text, bet, epsilon, delta, composition } = promise
  return (
    <section class="card stack close" aria-label="What is promised">
      <h2>What is promised</h2>
      {text.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>{bet}</p>
      <details>
        <summary>In symbols</summary>
        <dl class="facts small">
          <dt>ε</dt>
          <dd>{costText(epsilon)} for all answers together</dd>
          <dt>δ</dt>
          <dd>{delta === 0 ? '0: no exception' : delta}</dd>
          <dt>Unit</dt>
          <dd>{unitWords(promise)}</dd>
          <dt>Neighbours</dt>
          <dd>
            {promise.neighbours === 'add-remove'
              ? 'tables with and without the unit'
              : 'tables that differ in one row; the number of rows is public'}
          </dd>
          <dt>Composition</dt>
          <dd>
            {composition === 'pure'
              ? 'costs in ε add up, record by record'
              : 'in ρ (zero-concentrated), record by record'}
          </dd>
        </dl>
      </details>
    </section>
  )
}

const unitWords = ({ unit }: PromiseMade): string =>
  unit.kind === 'row'
    ? 'one row'
    : `one ${unit.column}, of which at most ${unit.rows} ${unit.rows === 1 ? 'row counts' : 'rows count'}`
