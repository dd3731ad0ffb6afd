import type { ExampleQuestion } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { costText, withinText } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { priceAt } from './curve-scale.ts'
import { modestWish } from './question.ts'

/** Questions to begin with, made from the schema, with what they would cost. */
export function Examples({ choose }: { readonly choose: (sql: string) => void }) {
  const { examples } = useSession().description
  return (
    <section class="card stack" aria-label="Questions to begin with">
      <div>
        <h2>What would you like to know?</h2>
        <p class="soft">
          Write a question above, or begin with one of these. The price is on the screen before anything is spent.
        </p>
      </div>
      <ul class="examples">
        {examples.slice(0, 6).map((example) => (
          <li key={example.sql}>
            <Example example={example} choose={choose} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Example({ example, choose }: { readonly example: ExampleQuestion; readonly choose: (sql: string) => void }) {
  const { dataset, budget, as } = useSession()
  const cap = budget?.budget.cap.epsilon ?? 1
  const price = useAsync(
    async (signal) => {
      const curve = await dataset.curve({ sql: example.sql, ...(as !== undefined && { as }) }, { signal })
      const { within, epsilon } = modestWish(curve, cap)
      return { within, epsilon: within === undefined ? epsilon! : priceAt(curve.points, curve.freeWithin, within) }
    },
    [dataset, example.sql, as, cap],
  )
  return (
    <button type="button" class="example" onClick={() => choose(example.sql)}>
      <span>{example.title}</span>
      <span class="small">
        {price.isLoading ? (
          <span class="skeleton" />
        ) : (
          price.value && (
            <>
              {price.value.within !== undefined && <span class="soft">± {withinText(price.value.within)}</span>}{' '}
              {price.value.epsilon === 0 ? (
                <span class="badge free">free</span>
              ) : (
                <span class="badge paid">ε {costText(price.value.epsilon)}</span>
              )}
            </>
          )
        )}
      </span>
    </button>
  )
}
