import { useState } from 'preact/hooks'
import type { Curve } from '../../src/client/index.ts'
import { LogSlider } from '../parts/log-slider.tsx'
import { niceWidth, withinText } from '../parts/number.ts'
import type { Question } from './question.ts'

interface PrecisionProps {
  readonly question: Question
  readonly curve: Curve | undefined
  readonly change: (part: Partial<Question>) => void
}

const confidences = [0.8, 0.9, 0.95, 0.99, 0.999]

/** How precise the answer is to be, or what it may cost; and how sure one wants to be. */
export function Precision({ question, curve, change }: PrecisionProps) {
  const { confidence, epsilon } = question
  return (
    <div class="precision">
      <select
        class="field"
        aria-label="Ask for a precision or for a price"
        value={epsilon === undefined ? 'within' : 'epsilon'}
        onChange={(event) =>
          change(event.currentTarget.value === 'within' ? { epsilon: undefined } : { within: undefined, epsilon: 0.02 })
        }
      >
        <option value="within">within ±</option>
        <option value="epsilon">for ε</option>
      </select>
      {epsilon === undefined ? (
        <WithinField within={question.within} curve={curve} change={change} />
      ) : (
        <PriceField epsilon={epsilon} left={curve?.left.epsilon ?? 1} change={change} />
      )}
      <select
        class="field"
        aria-label="How sure"
        value={String(confidence)}
        onChange={(event) => change({ confidence: Number(event.currentTarget.value) })}
      >
        {[...new Set([...confidences, confidence])].sort().map((c) => (
          <option key={c} value={String(c)}>
            {Number((100 * c).toFixed(4))}% sure
          </option>
        ))}
      </select>
    </div>
  )
}

/** The half-widths that the slider goes over: those of the curve. */
export function widthsOf(curve: Curve | undefined): { low: number; high: number } {
  const widths = curve?.points.map((p) => p.within) ?? []
  if (!curve || widths.length < 2) return { low: 1, high: 10_000 }
  // A stretch of what is free, so that it can be seen.
  const beyond = curve.freeWithin === null ? 1 : 2.5
  return { low: Math.min(...widths), high: beyond * Math.max(...widths) }
}

type WithinFieldProps = Pick<PrecisionProps, 'curve' | 'change'> & { readonly within: number | undefined }

function WithinField({ within, curve, change }: WithinFieldProps) {
  const { low, high } = widthsOf(curve)
  const isFree = within !== undefined && curve?.freeWithin != null && within >= curve.freeWithin
  return (
    <>
      <NumberField label="Half-width of the interval" value={within} change={(value) => change({ within: value })} />
      <LogSlider
        label="Precision"
        disabled={curve === undefined}
        value={within ?? high}
        low={low}
        high={high}
        text={within === undefined ? 'not chosen' : `within ± ${withinText(within)}`}
        tone={isFree ? 'free' : 'paid'}
        change={(value) => change({ within: niceWidth(value) })}
      />
    </>
  )
}

type PriceFieldProps = Pick<PrecisionProps, 'change'> & { readonly epsilon: number; readonly left: number }

const PriceField = ({ epsilon, left, change }: PriceFieldProps) => (
  <>
    <NumberField label="Price in ε" value={epsilon} change={(value) => change({ epsilon: value ?? epsilon })} />
    <LogSlider
      label="Price"
      value={epsilon}
      low={0.0005}
      high={Math.max(left, 0.001)}
      text={`costs ${epsilon}`}
      change={(value) => change({ epsilon: niceWidth(value) })}
    />
  </>
)

interface NumberFieldProps {
  readonly label: string
  readonly value: number | undefined
  readonly change: (value: number | undefined) => void
}

/** A positive number; what is half typed changes nothing, and is not undone by a plan that arrives meanwhile. */
function NumberField({ label, value, change }: NumberFieldProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <input
      class="field number"
      inputMode="decimal"
      aria-label={label}
      value={typed ?? value ?? ''}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => {
        const number = Number(event.currentTarget.value.replaceAll(',', ''))
        if (number > 0 && Number.isFinite(number)) change(number)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
