import type { Finding } from './audit.ts'

const [width, height] = [720, 200]
const [marginX, marginY] = [40, 24]
/** Bars across the plot. */
const bars = 60

/**
 * How much of the likelier input's probability lies at which privacy loss, with the claim (both ways) and the proven bound as lines.
 * The outputs are grouped into parts of about equal size, and a part's loss is estimated from its counts.
 */
export function lossPlot({ losses, claim, bound, likely }: Finding): string {
  const reach = 1.15 * Math.max(claim.epsilon, bound.epsilon, 0.1, ...losses.map(({ loss }) => Math.abs(loss)))
  const x = (loss: number) => marginX + ((loss + reach) / (2 * reach)) * (width - 2 * marginX)
  const shares = new Float64Array(bars)
  for (const part of losses)
    shares[Math.floor(((part.loss + reach) / (2 * reach)) * bars)]! += part.likely / likely.trials
  const baseline = height - marginY
  const marks = [
    mark(x(-claim.epsilon), '#222', '4 3', '', 0),
    mark(x(claim.epsilon), '#222', '4 3', 'claimed', 0),
    mark(x(bound.epsilon), '#b00020', 'none', 'proven', 1),
  ]
  const ticks = [-reach, -reach / 2, 0, reach / 2, reach].map(
    (at) => `<text x="${fix(x(at))}" y="${height - 8}" text-anchor="middle">${at.toFixed(2)}</text>`,
  )
  const label = `<text x="${marginX}" y="12">share of the outputs, by ln of the ratio of their probabilities</text>`
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="histogram of the privacy loss">
<line x1="${marginX}" x2="${width - marginX}" y1="${baseline}" y2="${baseline}" stroke="#999"/>
${[...bar(shares), ...marks, ...ticks, label].join('\n')}
</svg>`
}

function bar(shares: Float64Array): string[] {
  const highest = shares.reduce((a, b) => Math.max(a, b), 1e-9)
  const step = (width - 2 * marginX) / bars
  return Array.from(shares, (share, i) => {
    if (share === 0) return ''
    const size = (share / highest) * (height - 2 * marginY)
    const at = `x="${fix(marginX + i * step)}" y="${fix(height - marginY - size)}"`
    return `<rect ${at} width="${fix(step - 1)}" height="${fix(size)}" fill="#5b7fa6"/>`
  }).filter(Boolean)
}

const mark = (x: number, color: string, dash: string, words: string, row: number): string =>
  `<line x1="${fix(x)}" x2="${fix(x)}" y1="${marginY - 8}" y2="${height - marginY}" stroke="${color}" stroke-dasharray="${dash}"/>
<text x="${fix(x + 3)}" y="${marginY + 4 + 12 * row}" style="fill:${color}">${words}</text>`

const fix = (v: number): string => v.toFixed(1)
