import { posix } from 'node:path'
import { doorFault, doorTo, exportedAgain, passedOn } from './doors.ts'
import type { Fault } from './names.ts'
import { packageFault } from './packages.ts'
import { folderOf, isTest } from './places.ts'
import type { Import, Reading } from './read.ts'
import { arrows, common, siblings } from './table.ts'

/** The subfolder of a folder of siblings that a file is in, if any. */
const siblingOf = (file: string, folder: string) =>
  siblings.includes(folder)
    ? posix
        .dirname(file)
        .slice(folder.length + 1)
        .split('/')[0]
    : ''

function siblingFault(file: string, path: string, folder: string): string | undefined {
  const [here, there] = [siblingOf(file, folder), siblingOf(path, folder)]
  if (!here || !there || here === there || common.includes(there) || isTest(file)) return undefined
  return `${here} and ${there} are siblings`
}

/** What is wrong with `file` importing `path`, another file of src/. */
function arrowFault(file: string, found: Import, path: string): string | undefined {
  const [from, to] = [folderOf(file), folderOf(path)]
  const door = doorTo(path)
  if (door !== undefined) return doorFault(file, found, path, door)
  if (from === undefined || to === undefined) return 'no such folder in the architecture'
  if (from === to) return siblingFault(file, path, from)
  if (path !== posix.join(to, 'index.ts')) return 'import a folder through its index.ts'
  return isTest(file) || arrows[from]!.includes(to) ? undefined : `${from} may not import ${to}`
}

/** What happens to the names of an import afterwards: those of a door are only called, those of trusted/ not exported again. */
function handedOn(file: string, found: Import, path: string, reading: Reading): Fault[] {
  const own = folderOf(path) === folderOf(file)
  const isDoor = doorTo(path) === path
  if (isTest(file) || !path.startsWith('trusted/') || (own && !isDoor)) return []
  if (isDoor && !own)
    return passedOn(found, reading).map(({ name, at }) => ({ at, why: `${name}: from a door, may only be called` }))
  const why = 'trusted code is not exported again'
  if (found.how === 'export' && !isDoor && found.specifiers.some((s) => !s.type))
    return [{ at: found.at, why: `${found.target}: ${why}` }]
  return exportedAgain(found, reading).map(({ name, at }) => ({ at, why: `${name}: ${why}` }))
}

/** The rules for one import of one file. `files` are those of src/. */
export function importFaults(file: string, found: Import, reading: Reading, files: Set<string>): Fault[] {
  const { target, at } = found
  const fault = (why: string | undefined) => (why === undefined ? [] : [{ at, why: `${target}: ${why}` }])
  if (target === undefined) return [{ at, why: 'an import names its file as a plain string' }]
  if (found.how === 'export' && found.specifiers.some(({ name }) => name === '*')) return fault('list what you export')
  if (!/^\.\.?\//.test(target)) return fault(packageFault(file, found, target))
  const path = posix.join(posix.dirname(file), target)
  if (path.startsWith('../')) return isTest(file) ? [] : fault('outside src/')
  if (isTest(path)) return fault('nobody imports a test')
  return [
    ...fault(files.has(path) ? undefined : 'no such file'),
    ...fault(arrowFault(file, found, path)),
    ...handedOn(file, found, path, reading),
  ]
}
