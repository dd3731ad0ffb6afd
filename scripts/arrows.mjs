// Checks that every import follows the architecture: which folder may use which, and only through its index.ts.
// usage: node scripts/arrows.mjs [SOURCE_FOLDER]
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const trusted = (...names) => names.map((name) => `trusted/${name}`)
const base = ['query', 'schema', 'numeric']
const library = [
  'answer',
  'inference',
  'release',
  ...trusted('accounting', 'engine', 'exact', 'hash', 'ledger', 'mechanism', 'meter', 'random'),
  ...base,
]

/** folder → folders it may import; a deeper folder overrides its parent. '.' is src/ itself. */
const arrows = {
  numeric: [],
  schema: ['numeric'],
  query: ['schema', 'numeric'],
  'trusted/hash': [],
  'trusted/exact': [],
  'trusted/random': ['numeric'],
  'trusted/accounting': base,
  'trusted/ledger': ['trusted/accounting', 'trusted/hash', ...base],
  'trusted/engine': ['trusted/exact', 'trusted/hash', ...base],
  'trusted/mechanism': [...trusted('exact', 'accounting', 'random'), ...base],
  'trusted/meter': [...trusted('accounting', 'engine', 'exact', 'hash', 'ledger', 'mechanism', 'random'), ...base],
  inference: base,
  release: ['inference', ...base],
  answer: [...trusted('meter', 'accounting', 'ledger'), 'inference', ...base],
  '.': library,
  evaluation: ['.', ...library],
  server: ['.', 'schema'],
  cli: ['.', 'evaluation', 'server', ...library],
}

/** Folders whose subfolders are siblings that must not know each other. */
const siblings = ['trusted/engine', 'trusted/ledger', 'trusted/mechanism']
/** …but for those that serve all of them. */
const common = ['inspect']

/** Single files that are doors of their own: who may import them. */
const doors = {
  'trusted/exact/seal.ts': ['trusted/engine', 'trusted/meter', 'evaluation'],
  'trusted/exact/open.ts': ['trusted/mechanism'],
  'trusted/engine/inspect/index.ts': ['cli'],
}

/** Names that may come from Node's cryptography, by folder; '*' is everything. */
const crypto = { 'trusted/random': '*', 'trusted/hash': ['createHash', 'createHmac', 'Hash'] }

const source = resolve(process.argv[2] ?? join(dirname(dirname(fileURLToPath(import.meta.url))), 'src'))
const files = readdirSync(source, { recursive: true })
  .map((f) => f.split(sep).join('/'))
  .filter((f) => f.endsWith('.ts'))

const folderOf = (file) => {
  const folder = posix.dirname(file)
  const known = Object.keys(arrows).filter((k) => k !== '.' && (folder === k || folder.startsWith(`${k}/`)))
  return known.sort((a, b) => b.length - a.length)[0] ?? (folder === '.' ? '.' : undefined)
}
const pattern =
  /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?([^'"]*?)\s*(?:from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

const faults = []
for (const file of files) {
  const from = folderOf(file)
  const test = file.endsWith('.test.ts')
  if (from === undefined) faults.push(`${file}: no such folder in the architecture`)
  for (const [, names = '', still, lazy] of readFileSync(join(source, file), 'utf8').matchAll(pattern)) {
    const target = still ?? lazy
    const fault = (why) => faults.push(`${file}: ${target}: ${why}`)
    if (/^(node:)?crypto$/.test(target)) {
      const allowed = crypto[from]
      const wanted = names
        .replace(/[{}]/g, '')
        .split(',')
        .map((n) => n.trim().replace(/^type\s+/, ''))
        .filter(Boolean)
      if (!allowed || (allowed !== '*' && !wanted.every((n) => allowed.includes(n))))
        fault('only trusted/random draws, only trusted/hash hashes')
    }
    if (!target.startsWith('.')) continue
    const path = relative(source, resolve(source, posix.dirname(file), target))
      .split(sep)
      .join('/')
    if (path.startsWith('..')) {
      if (!test) fault('outside src/')
      continue
    }
    const to = folderOf(path)
    if (path in doors) {
      if (to !== from && !doors[path].includes(from) && !test) fault(`only ${doors[path].join(', ')} may import this`)
      continue
    }
    if (to === from) {
      const room = (p) =>
        siblings.includes(from) &&
        posix.dirname(p) !== from &&
        posix
          .dirname(p)
          .slice(from.length + 1)
          .split('/')[0]
      const [here, there] = [room(file), room(path)]
      if (here && there && here !== there && !common.includes(here) && !test) fault(`${here} and ${there} are siblings`)
      continue
    }
    if (posix.basename(path) !== 'index.ts') fault('import a folder through its index.ts')
    if (!test && !arrows[from]?.includes(to)) fault(`${from} may not import ${to}`)
  }
}

for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) process.exit(1)
process.stdout.write(`${files.length} files follow the architecture\n`)
