import { errorRate, type Finding } from './audit.ts'
import { lossPlot } from './plot.ts'
import { verdictWord } from './verdict.ts'

/** A page of its own about an audit: the table, and for each mechanism the histogram of its privacy loss. Loads nothing. */
export function auditPage(findings: readonly Finding[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Reticent: audit of mechanisms</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ddd }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.right { color: #176117 } .wrong { color: #b00020; font-weight: 600 }
figure { margin: 2rem 0 } figcaption { margin-bottom: .5rem } small { color: #666 }
svg { width: 100%; height: auto } svg text { font-size: 11px; fill: #444 }
</style>
<h1>Audit of mechanisms</h1>
<p>Each mechanism was run on neighbouring inputs. The lower bound is what its outputs prove about its true ε; it is too high with
probability at most ${errorRate}. Shipped mechanisms must stay below their claims; controls are broken on purpose and must not.</p>
<table>
<tr><th>mechanism<th>kind<th>claimed ε<th>δ<th>lower bound<th>computed<th>runs<th>verdict</tr>
${findings.map(row).join('\n')}
</table>
${findings.map(figure).join('\n')}
</html>
`
}

function row(f: Finding): string {
  const numbers = [
    short(f.claim.epsilon),
    f.claim.delta === 0 ? '0' : String(f.claim.delta),
    short(f.bound.epsilon),
    f.exact === undefined ? '' : short(f.exact),
    f.samples.toLocaleString('en-US'),
  ]
  const cells = numbers.map((n) => `<td class="number">${n}</td>`).join('')
  const mark = f.expected ? 'right' : 'wrong'
  return `<tr><td>${escaped(f.name)}</td><td>${f.kind}</td>${cells}<td class="${mark}">${verdictWord(f)}</td></tr>`
}

function figure(f: Finding): string {
  return `<figure>
<figcaption><strong>${escaped(f.name)}</strong>: ${escaped(f.about)}.<br>
<small>${escaped(f.pair)}; event: ${escaped(f.event)}; ${f.likely.hits} of ${f.likely.trials} against ${f.unlikely.hits} of
${f.unlikely.trials}</small></figcaption>
${lossPlot(f)}
</figure>`
}

const short = (v: number) => (v === Number.POSITIVE_INFINITY ? '∞' : String(Number(v.toFixed(4))))
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
