import { useEffect } from 'preact/hooks'
import type { Route } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { costText } from '../parts/number.ts'
import { Analysts } from './analysts.tsx'
import { ByAttribute } from './by-attribute.tsx'
import { Gauge } from './gauge.tsx'
import { Spending } from './spending.tsx'
import { WhatIsLeft } from './what-is-left.tsx'

/** Budget: what is spent, by whom, on what, and what the rest would buy. */
export function BudgetPage(_: Pick<Route, 'parameters'>) {
  const { budget: response, refreshBudget, description } = useSession()
  useEffect(() => {
    document.title = 'Budget · Reticent'
    refreshBudget()
  }, [refreshBudget])
  if (!response) return <p class="card soft">Loading…</p>
  const { budget, steps, attributes } = response
  return (
    <div class="stack">
      <h1>Budget</h1>
      <div class="columns even">
        <section class="card third stack" aria-label="Spent">
          <Gauge spent={budget.spent.epsilon} cap={budget.cap.epsilon} />
          <p class="small soft">{description.promise.bet}</p>
          {budget.epochs > 1 && <p class="small soft">Over {budget.epochs} epochs of the data.</p>}
          {budget.lost && (
            <p class="notice noise small">
              {costText(budget.lost.epsilon)} of it stands for answers that an older copy of the ledger does not know.
            </p>
          )}
        </section>
        <section class="card two-thirds stack" aria-label="Spending over time">
          <h2>What was bought</h2>
          <Spending steps={steps} spent={budget.spent.epsilon} />
        </section>
        <section class="card half" aria-label="Where the privacy went">
          <h2>Where the privacy went</h2>
          <ByAttribute shares={attributes} />
        </section>
        <section class="card half" aria-label="What is left">
          <h2>What the remaining {costText(budget.left.epsilon)} would buy</h2>
          <WhatIsLeft left={budget.left.epsilon} />
        </section>
        {budget.analysts.length > 0 && (
          <section class="card" aria-label="Analysts">
            <h2>Analysts</h2>
            <Analysts analysts={budget.analysts} />
          </section>
        )}
      </div>
    </div>
  )
}
