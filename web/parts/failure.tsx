import { ServerRefusal } from '../../src/client/index.ts'
import { costText } from './number.ts'
import { pageWords } from './page-words.ts'

/** What happened and what to do, in words; never more than the server says. */
export function Failure({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const { title, hint } = wordsOf(error)
  return (
    <div class="notice refused" role="alert">
      <p class="title">{title}</p>
      {hint && <p>{pageWords(hint)}</p>}
      {again && (
        <button type="button" class="link" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** The words of a refusal, as sentences. */
export function wordsOf(error: unknown): { title: string; hint: string | undefined } {
  if (!(error instanceof ServerRefusal))
    return { title: 'Something went wrong on this page.', hint: 'Reload it; nothing was spent.' }
  if (error.code === 'unreachable')
    return { title: 'The server does not answer.', hint: 'Check that it is running and that you are connected.' }
  const { asked, left } = error.facts
  if (error.code === 'budget-exceeded' && typeof asked === 'number' && typeof left === 'number')
    return { title: `This costs ε ${costText(asked)}, and ${costText(left)} is left.`, hint: error.hint }
  return { title: sentence(error.message), hint: error.hint }
}
