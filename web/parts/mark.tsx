import type { AskResponse } from '../../src/client/index.ts'

type Kind = AskResponse['kind']

/** Every kind of answer has one mark, the same everywhere. */
const marks: Record<Kind, { readonly mark: string; readonly about: string }> = {
  free: { mark: '○', about: 'from earlier answers, at no cost' },
  fresh: { mark: '●', about: 'measured for this question' },
  combined: { mark: '◐', about: 'a new measurement combined with earlier answers' },
  refined: { mark: '◍', about: 'an earlier answer made more precise' },
  model: { mark: '◇', about: 'by a model: without an interval' },
}

/** The mark of a kind with its name; its meaning is the title. */
export function KindMark({ kind, bare = false }: { readonly kind: Kind; readonly bare?: boolean }) {
  const { mark, about } = marks[kind]
  const tone = kind === 'free' || kind === 'model' ? 'is-free' : 'is-paid'
  return (
    <span class={`nowrap ${tone}`} title={`${kind}: ${about}`}>
      <span class="mark" aria-hidden="true">
        {mark}
      </span>{' '}
      <span class={bare ? 'hidden-visually' : ''}>{kind}</span>
    </span>
  )
}

export const kindMeaning = (kind: Kind): string => marks[kind].about
