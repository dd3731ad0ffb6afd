import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../app/session.ts'
import { isFunction, isKeyword, nameOf, type Token, tokensOf } from '../sql/tokens.ts'

interface PaintProps {
  readonly value: string
  readonly caret: number
  readonly wrongAt: number | undefined
  /** Stands below the caret. */
  readonly children: ComponentChildren
}

/** The text in colours, exactly below the text area's own; it also knows where on the screen the caret is. */
export function Paint({ value, caret, wrongAt, children }: PaintProps) {
  const names = useSession().description.attributes.map((a) => a.name)
  const marker = useRef<HTMLSpanElement>(null)
  const [place, setPlace] = useState({ left: 0, top: 0 })
  useLayoutEffect(() => {
    const { offsetLeft: left = 0, offsetTop: top = 0 } = marker.current ?? {}
    setPlace((before) => (before.left === left && before.top === top ? before : { left, top }))
  }, [value, caret])
  return (
    <>
      <pre class="editor-paint" aria-hidden="true">
        {tokensOf(value).map((token) => (
          <span key={token.start} class={classOf(token, names, wrongAt)}>
            {token.text}
          </span>
        ))}{' '}
      </pre>
      <pre class="editor-paint editor-ruler" aria-hidden="true">
        {value.slice(0, caret)}
        <span ref={marker} />
      </pre>
      {children && (
        <div class="editor-popup" style={{ left: `${place.left}px`, top: `${place.top}px` }}>
          {children}
        </div>
      )}
    </>
  )
}

function classOf(token: Token, names: readonly string[], wrongAt: number | undefined): string {
  const end = token.start + token.text.length
  const wrong =
    wrongAt !== undefined && token.kind !== 'space' && token.start <= wrongAt && wrongAt < end ? 'wrong ' : ''
  return wrong + kindOf(token, names)
}

function kindOf(token: Token, names: readonly string[]): string {
  if (token.kind === 'string' || token.kind === 'number') return 'token-value'
  if (token.kind === 'comment') return 'token-comment'
  const name = nameOf(token)
  if (name === undefined) return ''
  if (names.includes(name)) return 'token-attribute'
  return token.kind === 'word' && (isKeyword(token.text) || isFunction(token.text)) ? 'token-keyword' : ''
}
