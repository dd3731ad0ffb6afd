import type { Units } from '../units.ts'
import { type Field, fieldBound } from './field.ts'
import { updateNode } from './messages.ts'
import { Search } from './search.ts'

/** Counts, never times, so that the same calls give the same bounds on every machine. */
const mostSweeps = 200
/** Stop unless so many sweeps have closed at least a twentieth of what was still open. */
const patience = 8

/**
 * Sends messages until the field's bound is at most `target`, or a cell above the target has been found, so that no
 * bound can get there, or progress is too slow; the best bound seen. Messages stay in the field.
 */
export function improve(field: Field, target: Units): Units {
  let best = fieldBound(field)
  for (const node of field.changed) {
    updateNode(field, node)
    best = Math.min(best, fieldBound(field))
    if (best <= target) return best
  }
  // A quarter of the way further than asked, so that the next charges find the bound low enough as it is.
  return sweep(field, best, (found) => (found > target ? undefined : target - (target - found) / 4))
}

/** Sends messages until they no longer help: the bound that a reader is shown. */
export const settle = (field: Field): Units => sweep(field, fieldBound(field), (found) => found)

/** `goal` says, from a cell's cost, which bound would be low enough; undefined: stop here. */
function sweep(field: Field, bound: Units, goal: (found: Units) => Units | undefined): Units {
  const search = new Search(field)
  let best = bound
  let before = bound
  for (let count = 1; count <= mostSweeps; count++) {
    for (const node of field.nodes) updateNode(field, node)
    best = Math.min(best, fieldBound(field))
    const enough = goal(search.decode().units)
    if (enough === undefined || best <= enough) break
    if (count % patience === 0) {
      if (before - best < (best - enough) / 20) break
      before = best
    }
  }
  return best
}
