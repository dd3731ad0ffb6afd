// Noise paths of a large release: opened from scale 200 to 10^6 and revealed to the bottom; and a refinement of 250,000
// answers.
import { rational } from '../src/numeric/index.ts'
import { seal } from '../src/trusted/exact/seal.ts'
import { openPaths, refine, upward } from '../src/trusted/mechanism/index.ts'
import { best, check, type Figure, report } from './harness.ts'

const cells = 250_000
const exact = seal(new Float64Array(cells))
const grid = { first: rational(10 ** 6), step: rational(10), count: 99_981 }

const figures: Figure[] = []
const opened = await best(() => openPaths({ exact: [exact], grid: upward(grid) }))
figures.push({ what: '250,000 paths, scale 200 to 10^6', value: opened.milliseconds, unit: 'ms', atMost: 2000 })
const start = performance.now()
const { count: changed } = opened.value[0]!.lower(0)
figures.push({ what: 'revealed to the bottom', value: performance.now() - start, unit: 'ms' })
check(changed > 0.99 * cells, 'almost every path jumps between scale 200 and 10^6')

const released = new Float64Array(cells)
const refined = await best(() => refine({ exact, released, from: rational(1000), to: rational(500) }))
figures.push({ what: '250,000 answers refined', value: refined.milliseconds, unit: 'ms' })
await report('Refinement', figures)
