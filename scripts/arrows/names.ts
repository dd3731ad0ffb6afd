import type { Reading } from './read.ts'
import { processMembers } from './table.ts'

/** A broken rule, and where in the file's text. */
export interface Fault {
  at: number
  why: string
}

/** Ways to a module that no import shows; refused even as a member's name or as a string. */
const hidden = ['require', 'createRequire', 'getBuiltinModule']

const noise = 'randomness comes from trusted/random, or from a seed in evaluation'
/** Names of the language and of Node, refused when `bad` says so of the member taken from them (undefined: any or none). */
const globals: Record<string, { why: string; bad: (member: string | undefined) => boolean }> = {
  Math: { why: noise, bad: (member) => member === undefined || member === 'random' },
  crypto: { why: noise, bad: () => true },
  process: { why: 'not a plain use of process', bad: (member) => !processMembers.includes(member ?? '') },
  globalThis: { why: 'name what you use', bad: () => true },
  global: { why: 'name what you use', bad: () => true },
  eval: { why: 'code is written, not made', bad: () => true },
  Function: { why: 'code is written, not made', bad: () => true },
}

/** Names through which a file could get at a module or at randomness without importing it. */
export function nameFaults(reading: Reading, test: boolean): Fault[] {
  const ways = reading.words.filter(({ word }) => hidden.includes(word))
  const uses = test
    ? []
    : reading.uses.filter(({ name, member }) => Object.hasOwn(globals, name) && globals[name]!.bad(member))
  return [
    ...ways.map(({ word, at }) => ({ at, why: `${word}: import what you use` })),
    ...uses.map(({ name, member, at }) => ({
      at,
      why: `${member ? `${name}.${member}` : name}: ${globals[name]!.why}`,
    })),
  ]
}
