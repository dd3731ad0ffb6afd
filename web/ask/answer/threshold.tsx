import { useState } from 'preact/hooks'
import { percentText } from '../../parts/number.ts'
import type { NumberColumn } from '../columns.ts'
import { probabilityAbove } from './density.tsx'

interface ThresholdProps {
  readonly density: NonNullable<NumberColumn['density']>
  readonly estimate: number
  readonly within: number
  /** Of the interval. */
  readonly low: number | null
}

/** A round number below the estimate, worth asking about: none that the interval leaves out, nor a negative one below a positive estimate. */
function roundBelow(estimate: number, within: number, low: number | null): number {
  const step = 10 ** Math.max(Math.floor(Math.log10(within)), -6)
  const below = Number((Math.floor((estimate - within / 2) / step) * step).toPrecision(12))
  return Math.max(low ?? below, estimate > 0 ? 0 : below, below)
}

/** "more than 18,400? 97%": for any number. Given all answers behind the estimate it may be another; `--probability` tells that. */
export function Threshold({ density, estimate, within, low }: ThresholdProps) {
  const [text, setText] = useState(() => String(roundBelow(estimate, within, low)))
  const value = Number(text.replaceAll(',', ''))
  return (
    <p class="threshold">
      <label>
        more than{' '}
        <input
          class="field number"
          inputMode="decimal"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        ?
      </label>{' '}
      <strong aria-live="polite">
        {text.trim() === '' || Number.isNaN(value) ? '–' : percentText(probabilityAbove(density, value))}
      </strong>{' '}
      <span class="soft">given this estimate</span>
    </p>
  )
}
