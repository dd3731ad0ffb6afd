/** Codes from … to, both included. */
interface Span {
  readonly from: number
  readonly to: number
}

/**
 * The values 0 … count-1 divided again and again: first all in one, then every part of more than one value in fanOut
 * parts, as equal as they can be, until each value is by itself. A part that cannot be divided stays as it is.
 */
export function divisions(count: number, fanOut: number): Span[][] {
  const levels: Span[][] = [[{ from: 0, to: count - 1 }]]
  for (;;) {
    const last = levels.at(-1)!
    if (last.length === count) return levels
    levels.push(last.flatMap((span) => divided(span, fanOut)))
  }
}

function divided({ from, to }: Span, fanOut: number): Span[] {
  const width = to - from + 1
  const parts = Math.min(fanOut, width)
  const start = (part: number) => from + Math.floor((width * part) / parts)
  return Array.from({ length: parts }, (_, part) => ({ from: start(part), to: start(part + 1) - 1 }))
}
