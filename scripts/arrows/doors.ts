import { posix } from 'node:path'
import { isListed, isTest } from './places.ts'
import type { Import, Reading, Use } from './read.ts'
import { doors } from './table.ts'

/** The door that a file is, or is behind. */
export const doorTo = (path: string) =>
  path in doors
    ? path
    : Object.keys(doors).find((d) => posix.basename(d) === 'index.ts' && isListed(path, [posix.dirname(d)]))

/** What is wrong with this file importing `path`, which is a door or behind one. */
export function doorFault(file: string, found: Import, path: string, door: string): string | undefined {
  const inside = posix.basename(door) === 'index.ts' && isListed(file, [posix.dirname(door)])
  if (isTest(file) || inside) return undefined
  if (path !== door || !isListed(file, doors[door]!)) return `only ${doors[door]!.join(', ')} may import this`
  if (found.how === 'export') return 'a door is not exported again'
  const unnamed = found.how !== 'type' && found.specifiers.some(({ name }) => name === '*')
  return unnamed ? 'import what you use from a door by its name' : undefined
}

const usesOf = (found: Import, reading: Reading): [Use, boolean][] =>
  found.specifiers.flatMap((s) =>
    reading.uses.filter((u) => u.name === s.local).map((u): [Use, boolean] => [u, s.type]),
  )

/** Where something that came through a door is passed on. It may be called, and that is all. */
export const passedOn = (found: Import, reading: Reading) =>
  usesOf(found, reading)
    .filter(([use]) => use.as !== 'callee')
    .map(([use]) => use)

/** Where something imported is exported again as it is. Types may be: they are gone when the program runs. */
export const exportedAgain = (found: Import, reading: Reading) =>
  usesOf(found, reading)
    .filter(([use, type]) => use.as === 'exported' && !type)
    .map(([use]) => use)
