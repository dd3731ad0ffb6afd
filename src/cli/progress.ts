import { visible } from './visible.ts'

const width = 30

/** A bar on a terminal that fills up as work goes on, and what is being done beside it; nothing where nobody looks. */
export function progressBar(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'>): {
  at(share: number, doing?: string): void
  end(): void
} {
  if (!stream.isTTY) return { at: () => {}, end: () => {} }
  let shown = ''
  // A longer line would wrap, and could not be written over.
  const put = (line: string) => {
    const fitting = [...line].slice(0, (stream.columns || 80) - 1).join('')
    if (fitting === shown) return
    stream.write(`\r${fitting}${' '.repeat(Math.max(0, [...shown].length - [...fitting].length))}`)
    shown = fitting
  }
  return {
    at: (share, doing) => {
      const percent = Math.floor(100 * Math.min(1, Math.max(0, share)))
      const full = Math.round((width * percent) / 100)
      const what = doing === undefined ? '' : ` ${visible(doing).replaceAll('\n', ' ')}`
      put(`${'█'.repeat(full)}${'░'.repeat(width - full)} ${percent}%${what}`)
    },
    end: () => {
      if (shown === '') return
      put('')
      stream.write('\r')
    },
  }
}
