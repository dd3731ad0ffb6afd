import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useSession } from '../app/session.ts'
import { useAsync } from '../parts/use-async.ts'
import { type Completion, completions, placeAt } from '../sql/completion.ts'
import { CompletionList } from './completion-list.tsx'
import { Paint } from './paint.tsx'

interface EditorProps {
  readonly value: string
  readonly change: (sql: string) => void
  readonly ask: () => void
  /** Where the server found something wrong, from 0. */
  readonly wrongAt: number | undefined
  readonly describedBy: string
}

/** A text area with a coloured copy of its text behind it, and completions at the caret. */
export function Editor({ value, change, ask, wrongAt, describedBy }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(value.length)
  const [chosen, setChosen] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const offers = useCompletions(value, caret, isOpen)
  const next = useRef<number>(undefined)
  useEffect(() => setChosen(-1), [value])
  useLayoutEffect(() => {
    if (next.current !== undefined) area.current?.setSelectionRange(next.current, next.current)
    next.current = undefined
  })
  const accept = ({ text, from }: Completion) => {
    next.current = from + text.length
    setCaret(next.current)
    setOpen(false)
    change(value.slice(0, from) + text + value.slice(caret))
    area.current?.focus()
  }
  const follow = () => setCaret(area.current?.selectionStart ?? 0)
  const keyDown = (event: KeyboardEvent) => {
    const isShown = offers.length > 0
    if (isShown && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const step = event.key === 'ArrowDown' ? 1 : -1
      setChosen((at) => (at + step + offers.length + (at < 0 && step < 0 ? 1 : 0)) % offers.length)
    } else if (isShown && event.key === 'Escape') setOpen(false)
    else if (isShown && event.key === 'Tab' && !event.shiftKey) accept(offers[Math.max(chosen, 0)]!)
    else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      if (isShown && chosen >= 0) accept(offers[chosen]!)
      else {
        setOpen(false)
        ask()
      }
    } else if (event.key === ' ' && event.ctrlKey) setOpen(true)
    else return
    event.preventDefault()
  }
  return (
    <div class="editor">
      <Paint value={value} caret={caret} wrongAt={wrongAt}>
        {offers.length > 0 && <CompletionList offers={offers} chosen={chosen} accept={accept} />}
      </Paint>
      <textarea
        ref={area}
        class="editor-text"
        value={value}
        rows={1}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-label="Question in SQL"
        aria-describedby={describedBy}
        aria-invalid={wrongAt !== undefined}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={offers.length > 0 ? 'completions' : undefined}
        aria-activedescendant={chosen >= 0 && offers.length > 0 ? `completion-${chosen}` : undefined}
        placeholder="SELECT COUNT(*) FROM …"
        onInput={(event) => {
          change(event.currentTarget.value)
          follow()
          setOpen(true)
        }}
        onKeyDown={keyDown}
        onKeyUp={follow}
        onClick={follow}
        onBlur={() => setOpen(false)}
      />
    </div>
  )
}

/** What may be written at the caret; values of long lists are looked up at the server. */
function useCompletions(value: string, caret: number, isOpen: boolean): Completion[] {
  const { dataset, description } = useSession()
  const { attributes, name } = description
  const place = useMemo(() => placeAt(value, caret, attributes), [value, caret, attributes])
  const { attribute, typed } = place
  const search = isOpen && attribute && attribute.more > 0 ? typed.replace(/^'/, '') : undefined
  const found = useAsync(
    search === undefined || !attribute
      ? undefined
      : async (signal) =>
          (await dataset.values(attribute.name, { search, limit: 8, signal })).labels.filter((l) => l !== null),
    [search, attribute],
    40,
  )
  if (!isOpen) return []
  return completions(place, attributes, name, search === undefined ? undefined : (found.value ?? []))
}
