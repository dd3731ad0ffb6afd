import { useMemo, useState } from 'preact/hooks'
import type { JobPlan, JobRequest } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { countText, percentText, plural } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { allPairs, keyOf, type Marginal, marginalOf, oneWay } from './pairs.ts'
import { PlanSummary } from './plan-summary.tsx'
import { PriceField, usePrice } from './price-field.tsx'
import { type Shade, Triangle } from './triangle.tsx'

type TablesRequest = Extract<JobRequest, { kind: 'marginals' }>
type TablesMethod = NonNullable<TablesRequest['options']['method']>
type TablesPlan = Extract<JobPlan, { marginals: unknown }>

const methods: Record<TablesMethod, { readonly name: string; readonly about: string }> = {
  ireduct: {
    name: 'Step by step',
    about: 'Lowers the noise where counts are small, step by step, so that small counts have small relative errors.',
  },
  'two-phase': { name: 'Two looks', about: 'A rough first look decides which tables get the most precision.' },
  iresamp: { name: 'Resampled', about: 'Like step by step, with fresh noise each time; for comparison.' },
  laplace: { name: 'Even', about: 'The same noise in every table.' },
  gaussian: { name: 'Gaussian', about: 'Gaussian noise, allocated by weights: for policies with a δ.' },
}

/** Which tables, for what price, by which method; with the plan of it. */
export function TablesForm({ start }: { readonly start: (request: JobRequest) => Promise<void> }) {
  const { dataset, description, as } = useSession()
  const names = description.attributes.map((a) => a.name)
  const isGaussian = description.promise.composition === 'zcdp'
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(smallTables(description.attributes)))
  const [epsilon, setEpsilon] = usePrice()
  const [method, setMethod] = useState<TablesMethod>(isGaussian ? 'gaussian' : 'ireduct')
  const request: TablesRequest = {
    kind: 'marginals',
    options: { of: [...chosen].map((key) => [...marginalOf(key)]), epsilon, method, ...(as !== undefined && { as }) },
  }
  const plan = useAsync(
    chosen.size === 0 ? undefined : async (signal) => (await dataset.planJob(request, { signal })) as TablesPlan,
    [dataset, JSON.stringify(request)],
    120,
  )
  const shades = useMemo(() => shadesOf(plan.value), [plan.value])
  const toggle = (marginal: Marginal) => {
    const next = new Set(chosen)
    if (!next.delete(keyOf(marginal))) next.add(keyOf(marginal))
    setChosen(next)
  }
  const choose = (marginals: readonly Marginal[]) => setChosen(new Set(marginals.map(keyOf)))
  return (
    <div class="columns">
      <section class="card seven stack" aria-label="Which tables">
        <div class="row spread">
          <h2>Which tables</h2>
          <div class="chips">
            <button type="button" class="chip" onClick={() => choose(oneWay(names))}>
              one attribute each
            </button>
            <button type="button" class="chip" onClick={() => choose(allPairs(names))}>
              all pairs
            </button>
            <button type="button" class="chip" onClick={() => choose([])}>
              none
            </button>
          </div>
        </div>
        <div class="scrolls">
          <Triangle label="Tables to choose from" shades={shades} chosen={chosen} toggle={toggle} />
        </div>
        <p class="small soft">
          The diagonal holds tables of one attribute. Numbers are cells; of the chosen tables, the expected error of a
          count, 2× if it is 200%. Hatched: no better than a table of zeros.
        </p>
      </section>
      <section class="card five stack" aria-label="Price and method">
        <h2>
          {plural(chosen.size, 'table')}
          {plan.value && (
            <span class="soft">, {countText(plan.value.marginals.reduce((sum, m) => sum + m.cells, 0))} cells</span>
          )}
        </h2>
        <PriceField epsilon={epsilon} change={setEpsilon} />
        <label class="stack close">
          Method
          <select
            class="field"
            value={method}
            onChange={(event) => setMethod(event.currentTarget.value as TablesMethod)}
          >
            {Object.entries(methods)
              .filter(([name]) => isGaussian || name !== 'gaussian')
              .map(([name, { name: title }]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
          </select>
          <span class="small soft">{methods[method].about}</span>
        </label>
        {chosen.size === 0 ? (
          <p class="notice">Choose at least one table.</p>
        ) : (
          <PlanSummary plan={plan} start={() => start(request)} doubt={doubtOf(plan.value)}>
            {plan.value && <ExpectedError plan={plan.value} />}
          </PlanSummary>
        )}
      </section>
    </div>
  )
}

/** As the command line says it: tables of zeros would be as good, and cost nothing. */
function doubtOf(plan: TablesPlan | undefined): string | undefined {
  const zeros = plan?.expected.zeros
  return plan && zeros !== undefined && plan.expected.measured >= zeros
    ? `No better than tables of zeros, which cost nothing.`
    : undefined
}

function ExpectedError({ plan }: { readonly plan: TablesPlan }) {
  const { measured, zeros } = plan.expected
  const isPoor = zeros !== undefined && measured >= 0.8 * zeros
  return (
    <>
      <p>
        Expected error of a count <strong class={isPoor ? 'is-noise' : ''}>{percentText(measured)}</strong>
        {zeros !== undefined && <span class="soft"> (a table of zeros: {percentText(zeros)})</span>}
      </p>
      {plan.warnings.map((warning) => (
        <p key={warning} class="notice noise small">
          {warning}
        </p>
      ))}
    </>
  )
}

function shadesOf(plan: TablesPlan | undefined): Map<string, Shade> {
  const zeros = plan?.expected.zeros ?? 1
  return new Map(
    (plan?.marginals ?? []).flatMap(({ attributes, error }) =>
      error === null ? [] : [[keyOf(attributes), { error, hopeless: error >= 0.9 * zeros }] as const],
    ),
  )
}

/** A first choice: every attribute that is not too long, by itself. */
const smallTables = (attributes: readonly { readonly name: string; readonly cells: number }[]): string[] =>
  attributes.filter((a) => a.cells <= 200).map((a) => keyOf([a.name]))
