import { isTest, rowFor } from './places.ts'
import type { Import } from './read.ts'
import { packages, packagesOfTests } from './table.ts'

/** What is wrong with importing from outside the project: a package or a module of Node's that is not on the list. */
export function packageFault(file: string, { specifiers }: Import, target: string): string | undefined {
  const own = packages[rowFor(packages, file) ?? '']?.[target]
  const allowed = isTest(file) ? (packagesOfTests[target] ?? own) : own
  if (allowed === undefined) return 'not a package of this folder'
  const refused = specifiers.filter(({ name }) => allowed !== 'everything' && !allowed.includes(name))
  if (refused.length > 0) return `this folder may not import ${refused.map(({ name }) => name).join(', ')} from it`
  return undefined
}
