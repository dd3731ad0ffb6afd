import type { ComponentChildren } from 'preact'
import type { Me } from '../../src/client/index.ts'
import { Hatching } from '../parts/hatching.tsx'
import { Logo } from './logo.tsx'
import { hashOf, menuHash, type PageName, pages } from './route.ts'

interface FrameProps {
  readonly page: PageName
  readonly me: Me
  readonly dataset: string
  /** Who asks here, as the data set knows them. */
  readonly who: ComponentChildren
  readonly place: { readonly dataset?: string }
  readonly leave: (() => void) | undefined
  readonly ribbon: ComponentChildren
  readonly children: ComponentChildren
}

/** The head of every page, with the menu and the ribbon, and the page below. */
export function Frame({ page, me, dataset, who, place, leave, ribbon, children }: FrameProps) {
  return (
    <>
      <button type="button" class="skip" onClick={toMain}>
        Skip to the page
      </button>
      <Hatching />
      <header class="frame-head">
        <div class="frame-bar">
          <a class="brand" href={hashOf('ask', place)}>
            <Logo />
            Reticent
          </a>
          <DatasetMenu me={me} dataset={dataset} page={page} />
          <nav aria-label="Pages">
            {Object.entries(pages).map(([name, title]) => (
              <a
                key={name}
                href={name === page ? hashOf(page, place) : menuHash(name as PageName, place)}
                aria-current={name === page ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
          </nav>
          <div class="frame-who">
            <span>{who}</span>
            {leave && (
              <button type="button" class="button small" onClick={leave}>
                Sign out
              </button>
            )}
          </div>
        </div>
        {ribbon}
      </header>
      <main class="frame-main" id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

/** Several data sets: a menu; one: its name. */
function DatasetMenu({ me, dataset, page }: { readonly me: Me; readonly dataset: string; readonly page: PageName }) {
  if (me.datasets.length < 2) return <span class="frame-dataset">{dataset}</span>
  const change = (event: Event) => {
    location.hash = hashOf(page, { dataset: (event.currentTarget as HTMLSelectElement).value })
  }
  return (
    <label class="frame-dataset">
      <span class="hidden-visually">Data set</span>
      <select class="field" value={dataset} onChange={change}>
        {me.datasets.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function toMain(): void {
  document.getElementById('main')?.focus()
}
