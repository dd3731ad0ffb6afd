import { answerTexts, exactText, percentText } from '../../parts/number.ts'
import type { NumberColumn } from '../columns.ts'
import { DensityChart } from './density.tsx'
import { Threshold } from './threshold.tsx'

interface NumberAnswerProps {
  readonly column: NumberColumn
  readonly confidence: number
  /** Where there are several: its name. */
  readonly title?: string
}

/** One number, never without its interval. */
export function NumberAnswer({ column, confidence, title }: NumberAnswerProps) {
  const { estimate, interval, within, density } = column
  const [low, high] = interval
  const exact = `${estimate === null ? 'unknown' : exactText(estimate)}; ${percentText(confidence)} sure between ${low === null ? '−∞' : exactText(low)} and ${high === null ? '∞' : exactText(high)}`
  const { value, around } = answerTexts(estimate, within, interval)
  if (estimate === null && within === null)
    return (
      <div>
        {title && <p class="soft">{title}</p>}
        <p class="answer-estimate">unknown</p>
        <p class="soft">too few records to tell</p>
      </div>
    )
  return (
    <div class="answer-number">
      <div>
        {title && <p class="soft">{title}</p>}
        <p class="answer-estimate" title={exact}>
          {value}
        </p>
        <p class="soft" title={exact}>
          {within === 0 ? around : `${around}, ${percentText(confidence)} sure`}
        </p>
      </div>
      {density && within !== null && estimate !== null && (
        <div class="answer-density">
          <DensityChart density={density} interval={interval} confidence={confidence} />
          <Threshold key={`${estimate} ${within}`} density={density} estimate={estimate} within={within} low={low} />
        </div>
      )}
    </div>
  )
}
