interface LogSliderProps {
  readonly label: string
  readonly value: number
  readonly low: number
  readonly high: number
  /** What the value means, for screen readers. */
  readonly text: string
  readonly disabled?: boolean
  readonly tone?: 'free' | 'paid'
  readonly change: (value: number) => void
}

const steps = 400

/** A slider on which every step is the same ratio. */
export function LogSlider({ label, value, low, high, text, tone = 'paid', disabled = false, change }: LogSliderProps) {
  const span = Math.log(high / low) || 1
  const place = Math.round((Math.log(Math.min(Math.max(value, low), high) / low) / span) * steps)
  return (
    <input
      type="range"
      class={tone}
      disabled={disabled}
      min={0}
      max={steps}
      value={place}
      aria-label={label}
      aria-valuetext={text}
      onInput={(event) => change(low * Math.exp((span * Number(event.currentTarget.value)) / steps))}
    />
  )
}
