import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { AttributeSummary } from '../../src/client/index.ts'
import { hashOf } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { countText, exactText, plural } from '../parts/number.ts'
import { quotedName } from '../sql/attribute.ts'

const kinds: Record<AttributeSummary['kind'], string> = {
  values: 'listed values',
  integer: 'whole numbers',
  decimal: 'numbers',
  bins: 'numbers in bins',
  boolean: 'true or false',
  date: 'dates',
}

/** One attribute: what its values may be. The domain is public; it does not come from the data. */
export function AttributeCard({ attribute }: { readonly attribute: AttributeSummary }) {
  const { description, place } = useSession()
  const { name, kind, cells, hasNull, hasOther } = attribute
  const sql = `SELECT ${quotedName(name)}, COUNT(*) FROM ${quotedName(description.name)} GROUP BY 1`
  return (
    <li class="card attribute">
      <div class="row spread">
        <h3>
          <Breakable name={name} />
        </h3>
        <span class="small soft nowrap">{plural(cells, 'cell')}</span>
      </div>
      <p class="small soft">
        {kinds[kind]}
        {hasOther && ', others together'}
        {hasNull && ', may be missing'}
      </p>
      <Domain attribute={attribute} />
      <a class="small" href={hashOf('ask', { ...place, q: sql })}>
        Count by {name}
      </a>
    </li>
  )
}

/** A long name goes on in the next line behind a low line. */
const Breakable = ({ name }: { readonly name: string }) => (
  <>
    {name.split('_').map((part, i) => (
      <Fragment key={i}>
        {i > 0 && '_'}
        {i > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
)

const boundText = ({ kind }: AttributeSummary, text = ''): string =>
  kind === 'date' || !Number.isFinite(Number(text)) ? text : exactText(Number(text))

/** So many letters of labels are shown at first. */
const firstLetters = 44

/** How many labels fit. */
function fitting(labels: readonly string[]): number {
  let letters = 0
  const over = labels.findIndex((label) => {
    letters += label.length + 3
    return letters > firstLetters
  })
  // A link to one more takes as much room as the one.
  return over < 0 || over >= labels.length - 1 ? labels.length : Math.max(2, over)
}

function Domain({ attribute }: { readonly attribute: AttributeSummary }) {
  const [isWhole, setWhole] = useState(false)
  const { kind, low, high, step, by, labels, more } = attribute
  if (kind === 'boolean') return null
  if (kind !== 'values')
    return (
      <p>
        <span class="nowrap">
          {boundText(attribute, low)} … {boundText(attribute, high)}
        </span>{' '}
        <span class="soft small">
          {by && ` by ${by}`}
          {step !== undefined && step !== '1' && ` in steps of ${boundText(attribute, step)}`}
        </span>
      </p>
    )
  const known = labels.filter((label) => label !== null)
  const shown = known.slice(0, isWhole ? undefined : fitting(known))
  const rest = known.length + more - shown.length
  return (
    <p class="values">
      {shown.map((label) => (
        <span key={label} class="badge">
          {label}
        </span>
      ))}
      {rest > 0 && !isWhole && (
        <button type="button" class="link small" onClick={() => setWhole(true)}>
          {countText(rest)} more
        </button>
      )}
      {rest > 0 && isWhole && more > 0 && <span class="small soft">and {countText(more)} more</span>}
    </p>
  )
}
