import { LineCounter, Parser } from 'yaml'

/** Lines (from 1) with a comment that asks for review: drafted bounds that the owner has not vouched for yet. */
export function reviewLines(text: string): number[] {
  const counter = new LineCounter()
  const found: number[] = []
  for (const token of new Parser(counter.addNewLine).parse(text)) {
    for (const comment of comments(token)) {
      if (/#\s*review\b/i.test(comment.source)) found.push(counter.linePos(comment.offset).line)
    }
  }
  return found
}

interface Comment {
  readonly type: 'comment'
  readonly offset: number
  readonly source: string
}
const isComment = (token: object): token is Comment => 'type' in token && token.type === 'comment'

function* comments(token: unknown): Iterable<Comment> {
  if (token === null || typeof token !== 'object') return
  if (isComment(token)) yield token
  else for (const part of Object.values(token)) yield* comments(part)
}
