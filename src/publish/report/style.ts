/** Colours for light and for dark; everything else follows from these names. */
export const style = `
:root { color-scheme: light dark; --page: #fdfdfc; --card: #fff; --ink: #1d2126; --soft: #646c76; --line: #e3e5e8; --accent: #2f6fab; --strong: #b5540a;
  --warn: #fff4e5; --warn-line: #e8a33d;
  --h0: #f4f5f6; --h1: #e3eef8; --h2: #c9dff1; --h3: #a6cce7; --h4: #7bb3da; --h5: #5196c9; --h6: #3178b2; --h7: #1b5a94; --h8: #0b3d70; --on: #fff }
@media (prefers-color-scheme: dark) {
:root { --page: #14171a; --card: #1b1f24; --ink: #e4e7ea; --soft: #98a1ab; --line: #2d333a; --accent: #6aa9dd; --strong: #f0a35e;
  --warn: #33270f; --warn-line: #a9792b;
  --h0: #20252b; --h1: #1b3044; --h2: #1d415f; --h3: #20547b; --h4: #2a6997; --h5: #4184b4; --h6: #66a2cd; --h7: #96c3e4; --h8: #cbe4f7; --on: #10151a }
}
* { box-sizing: border-box }
body { font: 15px/1.55 system-ui, sans-serif; background: var(--page); color: var(--ink); max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.2rem; margin: 2.5rem 0 .6rem } h3 { font-size: 1rem; margin: 0 }
p { margin: .4rem 0 } .soft, small { color: var(--soft) } code { font-size: .85em; overflow-wrap: anywhere }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .7rem; margin: 1.2rem 0 }
.facts div, figure, .table { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .7rem .9rem }
.facts b { display: block; font-size: 1.25rem; font-weight: 600 }
.warning { background: var(--warn); border-left: 4px solid var(--warn-line); padding: .6rem .9rem; border-radius: 4px }
.table { overflow-x: auto; padding: .2rem .9rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem }
th { text-align: left; color: var(--soft); font-weight: 500 } th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--line) }
tr:last-child td { border-bottom: 0 } .n { text-align: right } td.meter { width: 24% }
.meter i { display: block; height: .7rem; background: var(--accent); border-radius: 2px; min-width: 1px }
.over { color: var(--strong); font-weight: 600 }
figure { margin: 1rem 0 } figcaption { margin-bottom: .5rem }
svg { width: 100%; height: auto; display: block } svg text { font-size: 11px; fill: var(--ink) } svg text.soft { fill: var(--soft) } svg text.on { fill: var(--on) }
.bar { fill: var(--accent) } .whisker { stroke: var(--strong); stroke-width: 1.6; fill: none } .grid { stroke: var(--line) } .frame { stroke: var(--line); fill: none }
${Array.from({ length: 9 }, (_, i) => `.h${i} { fill: var(--h${i}) }`).join(' ')}
.key { display: inline-flex; gap: 1px; vertical-align: middle } .key i { width: 1.1rem; height: .7rem }
${Array.from({ length: 9 }, (_, i) => `.key .h${i} { background: var(--h${i}) }`).join(' ')}
${Array.from({ length: 9 }, (_, i) => `.b${i} { background: var(--h${i}) }${i > 4 ? ` .b${i} { color: var(--on) }` : ''}`).join(' ')}
.matrix th { font-size: .75rem; padding: .15rem .3rem } .matrix td { padding: .15rem .3rem; font-size: .8rem }
.matrix th.n { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left } .beside { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem }
summary { cursor: pointer; color: var(--accent); margin: 1rem 0; font-weight: 600 }
@media print { figure { break-inside: avoid } }
`
