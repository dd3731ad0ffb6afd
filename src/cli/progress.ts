const width = 30

/** A bar on a terminal that fills up as work goes on; nothing where nobody looks. */
export function progressBar(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): {
  at(share: number): void
  end(): void
} {
  if (!stream.isTTY) return { at: () => {}, end: () => {} }
  let shown = -1
  return {
    at: (share) => {
      const percent = Math.floor(100 * Math.min(1, Math.max(0, share)))
      if (percent === shown) return
      shown = percent
      const full = Math.round((width * percent) / 100)
      stream.write(`\r${'█'.repeat(full)}${'░'.repeat(width - full)} ${percent}%`)
    },
    end: () => {
      if (shown >= 0) stream.write(`\r${' '.repeat(width + 5)}\r`)
    },
  }
}
