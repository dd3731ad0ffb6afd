import type { Density } from '../index.ts'

const blocks = ' ▁▂▃▄▅▆▇█'

/** A line of blocks as high as the number is likely to be there, and below it where the interval begins and ends. */
export function picture({ from, to, masses }: Density, interval: readonly [number | null, number | null]): string {
  const most = Math.max(...masses)
  const line = masses.map((mass) => blocks[Math.round((8 * mass) / most)]!).join('')
  const at = (x: number) => Math.round(((x - from) / (to - from)) * masses.length - 0.5)
  const [low, high] = [at(interval[0] ?? from), at(interval[1] ?? to)]
  const below = `${' '.repeat(low)}└${'─'.repeat(Math.max(0, high - low - 1))}┘`
  return `${line.trimEnd()}\n${below}`
}
