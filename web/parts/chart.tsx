import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useWidth } from './use-width.ts'

export type PlotLibrary = typeof import('./plot.ts')

/** Charts are drawn by a library that is loaded when the first one is on the page. */
let library: Promise<PlotLibrary> | undefined
const plotLibrary = () => {
  library ??= import('./plot.ts')
  return library
}

interface ChartProps {
  /** What the picture shows, for those who do not see it. */
  readonly label: string
  readonly draw: (plot: PlotLibrary, width: number) => Element
  /** Draws again when one of these changes. */
  readonly given: readonly unknown[]
  /** The same numbers as a table. */
  readonly table?: ComponentChildren | undefined
  /** Kept free until the chart is there. */
  readonly height?: number
}

/** A picture with a label, and its table beside it for screen readers and for copying. */
export function Chart({ label, draw, given, table, height = 240 }: ChartProps) {
  const { element, width } = useWidth<HTMLDivElement>()
  const canvas = useRef<HTMLDivElement>(null)
  const [plot, setPlot] = useState<PlotLibrary>()
  useEffect(() => {
    let isGone = false
    plotLibrary().then((loaded) => {
      if (!isGone) setPlot(() => loaded)
    })
    return () => {
      isGone = true
    }
  }, [])
  useEffect(() => {
    if (!plot || width === 0) return
    const picture = draw(plot, width)
    // The label says what it shows; Plot's own labels name its marks.
    picture.setAttribute('aria-hidden', 'true')
    canvas.current?.replaceChildren(picture)
  }, [plot, width, ...given])
  return (
    <figure class="chart" ref={element as never}>
      <div ref={canvas} role="img" aria-label={label} style={{ minHeight: plot ? '0' : `${height}px` }} />
      {table && (
        <details class="small">
          <summary>As a table</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
          <section class="chart-table" tabIndex={0} aria-label={label}>
            {table}
          </section>
        </details>
      )}
    </figure>
  )
}

/** What all charts have in common. */
export const chartStyle = (width: number) => ({ width, className: 'plot', style: { background: 'none' } })
