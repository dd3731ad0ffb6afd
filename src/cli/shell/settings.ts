import { usage } from '../../schema/index.ts'
import type { Questioning } from '../commands/ask.ts'

/** How every question of a session is asked, until it is changed. */
export type Settings = Omit<Questioning, 'plan' | 'probability' | 'receipt'>

/** Ways to say how precise answers must be or what they may cost. A new one takes the place of the last. */
const ways = { within: undefined, relative: undefined, floor: undefined, epsilon: undefined, free: false }

/** What each setting's words change. */
const changes: { readonly [name: string]: (words: readonly string[], old: Settings) => Partial<Settings> } = {
  within: ([within, floor]) => ({ ...ways, within, floor }),
  epsilon: ([epsilon]) => ({ ...ways, maxEpsilon: undefined, epsilon }),
  relative: ([relative, floor]) => ({ ...ways, relative, floor }),
  free: () => ({ ...ways, maxEpsilon: undefined, free: true }),
  floor: ([floor]) => ({ floor }),
  'max-epsilon': ([maxEpsilon]) => ({ maxEpsilon }),
  confidence: ([confidence]) => ({ confidence }),
  'all-within': (words, old) => ({ allWithin: isOn(words, old.allWithin) }),
  always: (words, old) => ({ always: isOn(words, old.always) }),
  explain: (words, old) => ({ explain: isOn(words, old.explain) }),
  as: ([as]) => ({ as }),
}

/** `\explain` by itself turns it round. */
const isOn = ([word]: readonly string[], old: boolean): boolean => (word === undefined ? !old : word === 'on')

/** Settings of which some can be switched off, and those that need a word. */
const needsWord = new Set(['within', 'epsilon', 'relative', 'confidence'])

export const settingNames: readonly string[] = Object.keys(changes)

/** Whether anything says how precise answers must be. */
export const isSet = ({ within, relative, epsilon, free }: Settings): boolean =>
  free || [within, relative, epsilon].some((way) => way !== undefined)

/** The settings after `\name words`. */
export function changed(old: Settings, name: string, words: readonly string[]): Settings {
  if (needsWord.has(name) && words.length === 0)
    throw usage(`\\${name} needs a number`, `For example: ${examples[name]}`)
  if (name === 'relative' && words.length < 2)
    throw usage('\\relative needs a floor, too', `For example: ${examples[name]}`)
  return { ...old, ...changes[name]!(words, old) }
}

const examples: { readonly [name: string]: string } = {
  within: '\\within 100',
  epsilon: '\\epsilon 0.05',
  relative: '\\relative 0.05 500',
  confidence: '\\confidence 0.9',
}

/** As one would type them again. */
export function settingsText(s: Settings): string {
  const said = [
    s.within !== undefined && `\\within ${s.within}${s.floor === undefined ? '' : ` ${s.floor}`}`,
    s.relative !== undefined && `\\relative ${s.relative} ${s.floor ?? ''}`,
    s.epsilon !== undefined && `\\epsilon ${s.epsilon}`,
    s.free && '\\free',
    s.maxEpsilon !== undefined && `\\max-epsilon ${s.maxEpsilon}`,
    s.confidence !== '0.95' && `\\confidence ${s.confidence}`,
    s.allWithin && '\\all-within on',
    s.always && '\\always on',
    s.explain && '\\explain on',
    s.as !== undefined && `\\as ${s.as}`,
  ].filter(Boolean)
  return said.length > 0
    ? said.join('  ')
    : 'nothing is set: \\within 100 asks for a precision, \\epsilon 0.05 for a price'
}
