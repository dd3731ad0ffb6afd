import type { Completion } from '../sql/completion.ts'

interface CompletionListProps {
  readonly offers: readonly Completion[]
  readonly chosen: number
  readonly accept: (completion: Completion) => void
}

/** What may be written at the caret. Tab takes the first, arrows choose. */
export function CompletionList({ offers, chosen, accept }: CompletionListProps) {
  return (
    <div class="completions" id="completions" role="listbox" aria-label="Completions">
      {offers.map((offer, i) => (
        <div
          key={offer.label}
          id={`completion-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === chosen}
          class="completion"
          onMouseDown={(event) => {
            event.preventDefault()
            accept(offer)
          }}
        >
          <span class="mono">{offer.label}</span>
          <span class="small soft">{offer.note}</span>
        </div>
      ))}
    </div>
  )
}
