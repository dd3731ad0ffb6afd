import { escaped } from './html.ts'
import { style } from './style.ts'

/** A page of its own: it loads nothing and runs nothing. `body` is HTML, `title` is not. */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
${body}
</html>
`

/** One number that a page begins with; the note is HTML. */
export type Fact = readonly [name: string, value: string, note: string]

export const factsOf = (facts: readonly Fact[]): string =>
  `<div class="facts">${facts.map(([name, value, note]) => `<div><span class="soft">${name}</span><b>${value}</b><small>${note}</small></div>`).join('')}</div>`

/** All shades of a heat map, from 0 on. */
export const shadesKey = `<span class="key">${Array.from({ length: 9 }, (_, i) => `<i class="h${i}"></i>`).join('')}</span>`
