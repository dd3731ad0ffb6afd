import { useRef } from 'preact/hooks'
import type { Curve } from '../../src/client/index.ts'
import { costText, exactText, niceWidth, roughCount, withinText } from '../parts/number.ts'
import { useWidth } from '../parts/use-width.ts'
import { type Box, type CurveScale, curveScale, logTicks, priceAt } from './curve-scale.ts'
import { widthsOf } from './precision.tsx'

interface PriceCurveProps {
  readonly curve: Curve
  readonly within: number | undefined
  readonly change: (within: number) => void
}

const height = 232
/** Longer numbers than this would run into each other below the curve: 30K, 1M. */
const fewDigits = 10_000

/** What each precision costs; the dot is the one that is chosen, and can be dragged along the curve. */
export function PriceCurve({ curve, within, change }: PriceCurveProps) {
  const { element, width } = useWidth<HTMLDivElement>()
  const isHeld = useRef(false)
  const box = { left: 44, right: Math.max(width - 20, 100), top: 16, bottom: height - 40 }
  const highest = highestOf(curve)
  const scale = curveScale(widthsOf(curve), highest, box)
  const move = (event: PointerEvent) => {
    if (!isHeld.current) return
    const { left } = (event.currentTarget as Element).getBoundingClientRect()
    change(niceWidth(scale.withinAt(event.clientX - left)))
  }
  return (
    <div ref={element}>
      {width > 0 && (
        <svg
          class="curve"
          width={width}
          height={height}
          role="img"
          aria-label={descriptionOf(curve)}
          onPointerDown={(event) => {
            isHeld.current = true
            event.currentTarget.setPointerCapture(event.pointerId)
            move(event)
          }}
          onPointerMove={move}
          onPointerUp={() => {
            isHeld.current = false
          }}
        >
          <FreeArea curve={curve} scale={scale} box={box} />
          <Axes curve={curve} scale={scale} box={box} highest={highest} />
          <path class="curve-line" d={pathOf(curve, scale)} />
          {within !== undefined && <Dot curve={curve} scale={scale} box={box} within={within} />}
        </svg>
      )}
    </div>
  )
}

interface PartProps {
  readonly curve: Curve
  readonly scale: CurveScale
  readonly box: Box
}

/** Where the price axis ends: a little above what is left, or at the dearest point. */
function highestOf({ points, left }: Curve): number {
  const dearest = Math.max(...points.map((p) => p.epsilon), 0)
  return Math.min(dearest, 1.2 * left.epsilon) || dearest || 1
}

function pathOf({ points, freeWithin }: Curve, { x, y }: CurveScale): string {
  const paid = points.filter((p) => p.epsilon > 0).sort((a, b) => a.within - b.within)
  const ends =
    freeWithin === null
      ? []
      : [
          [x(freeWithin), y(0)],
          [x(Number.MAX_VALUE), y(0)],
        ]
  const places = [...paid.map((p) => [x(p.within), y(p.epsilon)]), ...ends]
  return places.map(([left, top], i) => `${i === 0 ? 'M' : 'L'}${left!.toFixed(1)},${top!.toFixed(1)}`).join('')
}

function FreeArea({ curve: { freeWithin }, scale, box }: PartProps) {
  if (freeWithin === null) return null
  const from = scale.x(freeWithin)
  return (
    <>
      <rect
        class="curve-free"
        x={from}
        y={box.top}
        width={Math.max(0, box.right - from)}
        height={box.bottom - box.top}
      />
      {box.right - from > 32 && (
        <text class="curve-free-word" x={(from + box.right) / 2} y={(box.top + box.bottom) / 2} text-anchor="middle">
          free
        </text>
      )}
    </>
  )
}

function Axes({ curve, scale, box, highest }: PartProps & { readonly highest: number }) {
  const { low, high } = widthsOf(curve)
  const { epsilon: left } = curve.left
  const isLeftShown = left < highest
  const prices = [0.0001, 0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].filter((e) => e <= highest)
  const apart = prices.filter((e, i) => i === prices.length - 1 || scale.y(e) - scale.y(prices[i + 1]!) > 20)
  return (
    <>
      {[0, ...apart.filter((e) => scale.y(0) - scale.y(e) > 14)].map((e) => (
        <g key={e}>
          <line class="curve-grid" x1={box.left} x2={box.right} y1={scale.y(e)} y2={scale.y(e)} />
          {!(isLeftShown && Math.abs(scale.y(e) - scale.y(left)) < 14 && e > left) && (
            <text x={box.left - 8} y={scale.y(e) + 4} text-anchor="end">
              {e === 0 ? '0' : exactText(e)}
            </text>
          )}
        </g>
      ))}
      {isLeftShown && (
        <>
          <line class="curve-left" x1={box.left} x2={box.right} y1={scale.y(left)} y2={scale.y(left)} />
          <text class="curve-left-word" x={box.right} y={scale.y(left) - 6} text-anchor="end">
            all that is left
          </text>
        </>
      )}
      {logTicks(low, high, Math.max(2, Math.floor((box.right - box.left) / 64))).map((w) => (
        <text key={w} x={scale.x(w)} y={box.bottom + 18} text-anchor="middle">
          ±{w < fewDigits ? exactText(w) : roughCount(w)}
        </text>
      ))}
      <text x={(box.left + box.right) / 2} y={box.bottom + 36} text-anchor="middle">
        precise ← half-width of the interval → rough
      </text>
    </>
  )
}

function Dot({ curve, scale, box, within }: PartProps & { readonly within: number }) {
  const price = priceAt(curve.points, curve.freeWithin, within)
  const [x, y] = [scale.x(within), Math.max(8, scale.y(price))]
  const tone = price === 0 ? 'free' : price > curve.left.epsilon ? 'refused' : 'paid'
  return (
    <g class={`curve-dot ${tone}`}>
      <line x1={x} x2={x} y1={y} y2={box.bottom} />
      <circle cx={x} cy={y} r={8} />
    </g>
  )
}

const descriptionOf = ({ points, freeWithin }: Curve): string =>
  `Price against precision. ${points
    .filter((p) => p.epsilon > 0)
    .map((p) => `Within ${withinText(p.within)}: ${costText(p.epsilon)}.`)
    .join(' ')}${freeWithin === null ? '' : ` Free from ${withinText(freeWithin)} on.`}`
