import type { MarginalTable } from '../release/index.ts'

/** Of a name: file systems allow 255 bytes, endings included. */
const longest = 180

/** "age_by_sex" and so on: letters, digits, points, dashes and underscores; no two alike, also where case does not count. */
export function fileNames(tables: readonly Pick<MarginalTable, 'attributes'>[]): string[] {
  // What else is in the folder.
  const taken = new Set(['release', 'report'])
  return tables.map(({ attributes }) => {
    const plain = attributes.map(({ name }) => name.replace(/[^A-Za-z0-9_.-]+/g, '_')).join('_by_')
    const name = plain.slice(0, longest).replace(/^[.-]/, '_')
    let free = name
    for (let k = 2; taken.has(free.toLowerCase()); k++) free = `${name}_${k}`
    taken.add(free.toLowerCase())
    return free
  })
}
