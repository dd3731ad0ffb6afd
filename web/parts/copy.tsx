import { useState } from 'preact/hooks'

/** Copies a text, and says that it did. */
export function Copy({ text, children }: { readonly text: string | (() => string); readonly children: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setState('done')
    } catch {
      setState('refused')
    }
    setTimeout(() => setState('idle'), 2000)
  }
  const said = { idle: children, done: 'Copied', refused: 'The browser does not allow it' }[state]
  return (
    <button type="button" class="button small quiet" onClick={copy}>
      <span aria-live="polite">{said}</span>
    </button>
  )
}
