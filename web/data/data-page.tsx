import { useEffect } from 'preact/hooks'
import type { Route } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { plural } from '../parts/number.ts'
import { AttributeCard } from './attribute-card.tsx'
import { Guards } from './guards.tsx'
import { Owner } from './owner.tsx'
import { Promised } from './promised.tsx'

/** Data: what may be asked about, and what is promised to those who are in it. */
export function DataPage(_: Pick<Route, 'parameters'>) {
  const { description } = useSession()
  const { attributes, guards, role } = description
  useEffect(() => {
    document.title = 'Data · Reticent'
  }, [])
  return (
    <div class="stack wide">
      <div class="stack">
        <h1>{description.name}</h1>
        <Promised promise={description.promise} />
      </div>
      <section class="stack" aria-label="Attributes">
        <h2>{plural(attributes.length, 'attribute')}</h2>
        <ul class="cards">
          {attributes.map((attribute) => (
            <AttributeCard key={attribute.name} attribute={attribute} />
          ))}
        </ul>
      </section>
      {guards.length > 0 && <Guards guards={guards} />}
      {role !== 'analyst' && <Owner />}
    </div>
  )
}
