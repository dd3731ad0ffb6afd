const trusted = (...names: string[]) => names.map((name) => `trusted/${name}`)
const base = ['query', 'schema', 'numeric']
const rooms = trusted('accounting', 'engine', 'exact', 'ledger', 'mechanism')
const untrusted = ['answer', 'inference', 'model', 'release']

/** folder → folders it may import; a deeper folder overrides its parent. '.' is src/ itself. */
export const arrows: Record<string, string[]> = {
  numeric: [],
  schema: ['numeric'],
  query: ['schema', 'numeric'],
  'trusted/hash': [],
  'trusted/exact': [],
  'trusted/postgres': ['schema'],
  'trusted/random': ['numeric'],
  'trusted/accounting': base,
  'trusted/ledger': [...trusted('accounting', 'hash', 'postgres'), ...base],
  'trusted/engine': [...trusted('exact', 'hash', 'postgres'), ...base],
  'trusted/mechanism': [...trusted('exact', 'random'), 'query', 'numeric'],
  'trusted/meter': [...rooms, ...base],
  model: base,
  inference: ['model', ...base],
  release: ['inference', 'model', ...base],
  publish: ['release', 'model', ...base],
  answer: [...trusted('meter', 'accounting', 'ledger'), 'inference', ...base],
  dataset: [...untrusted, 'publish', ...trusted('accounting', 'engine', 'ledger', 'meter', 'random'), ...base],
  '.': ['answer', 'dataset', 'publish', 'schema'],
  evaluation: [...untrusted, ...rooms, ...trusted('hash', 'random', 'meter'), ...base],
  'server/api': ['.'],
  server: ['server/api', '.', 'schema'],
  client: ['server/api'],
  cli: ['.', 'server', 'evaluation', ...base],
}

/** Folders whose subfolders are siblings that must not know each other. */
export const siblings = ['trusted/engine', 'trusted/ledger', 'trusted/mechanism']
/** …but for what all of them build on. */
export const common = ['rows', 'sql']

/**
 * Files with a list of importers of their own, folders or files; not even their own folder passes unlisted. An index.ts
 * is the door of its folder: the files behind it are for that folder alone.
 */
export const doors: Record<string, string[]> = {
  'node-version.ts': ['require-node.ts', 'cli/main.ts'],
  'trusted/exact/vault.ts': ['trusted/exact/seal.ts', 'trusted/exact/open.ts'],
  'trusted/exact/seal.ts': ['trusted/engine', 'trusted/meter', 'evaluation'],
  'trusted/exact/open.ts': ['trusted/mechanism'],
  'trusted/engine/inspect/index.ts': ['cli'],
}

/** Which names may be imported from a package or a module of Node's. */
export type Packages = Record<string, 'everything' | string[]>

/** folder → what it may import from outside; a deeper folder overrides its parent, and a folder without a row has nothing. */
export const packages: Record<string, Packages> = {
  'schema/reader': {
    yaml: 'everything',
    'node:fs': ['constants'],
    'node:fs/promises': ['FileHandle', 'open'],
    'node:path': 'everything',
  },
  'query/domain-sql': { '@duckdb/node-api': 'everything' },
  'query/sql': { 'libpg-query': 'everything', '@pgsql/types': 'everything' },
  'trusted/hash': { 'node:crypto': ['createHash', 'createHmac', 'Hash'] },
  'trusted/random': { 'node:crypto': ['randomFillSync'] },
  'trusted/ledger': { 'node:fs': 'everything' },
  'trusted/ledger/sqlite': { 'better-sqlite3': 'everything', 'node:fs': 'everything', 'node:path': 'everything' },
  'trusted/ledger/postgres': { pg: 'everything' },
  'trusted/engine/duckdb': {
    '@duckdb/node-api': 'everything',
    '@duckdb/node-bindings': 'everything',
    'node:buffer': ['isUtf8'],
    'node:fs': ['createReadStream', 'realpathSync', 'rmSync', 'Stats', 'statSync'],
    'node:fs/promises': 'everything',
    'node:os': ['tmpdir'],
    'node:path': 'everything',
    'node:stream': ['pipeline'],
    'node:zlib': ['createGunzip'],
  },
  'trusted/postgres': {
    pg: 'everything',
    'node:fs': ['existsSync'],
    'node:fs/promises': ['readFile', 'stat'],
    'node:os': ['homedir', 'userInfo'],
    'node:path': ['join'],
    // Whole, for getCACertificates: see tls.ts.
    'node:tls': ['ConnectionOptions', 'default'],
  },
  'trusted/engine/postgres': { 'libpg-query': 'everything' },
  'trusted/engine/trino': {
    'node:fs': ['readFileSync'],
    'node:http': ['Agent', 'request'],
    'node:https': ['Agent', 'request'],
    'node:timers/promises': ['setTimeout'],
  },
  'trusted/engine/inspect': { 'node:path': 'everything' },
  publish: { '@duckdb/node-api': 'everything', 'node:fs/promises': 'everything', 'node:path': 'everything' },
  'model/dense': { 'node:os': ['availableParallelism'], 'node:worker_threads': ['Worker'] },
  'server/api': { typebox: ['Static', 'Type'] },
  server: {
    '@fastify/swagger': 'everything',
    fastify: 'everything',
    typebox: ['Static', 'TSchema', 'Type'],
    'node:fs': 'everything',
    'node:fs/promises': ['readFile'],
    'node:os': ['availableParallelism'],
    'node:path': 'everything',
    'node:tls': ['createSecureContext'],
    'node:worker_threads': ['Worker', 'parentPort', 'workerData'],
  },
  'server/access': { 'node:crypto': ['createHash', 'randomBytes'], 'node:fs': 'everything' },
  'evaluation/census': { '@duckdb/node-api': 'everything' },
  'evaluation/marginals': { 'node:fs': ['existsSync', 'readFileSync'], 'node:zlib': ['gunzipSync'] },
  cli: {
    commander: 'everything',
    'node:child_process': ['spawn'],
    'node:fs': 'everything',
    'node:module': ['enableCompileCache'],
    'node:path': 'everything',
    'node:readline': ['createInterface', 'Interface'],
    'node:url': ['fileURLToPath'],
    'node:v8': ['setFlagsFromString'],
  },
}

/** What any test may import from outside: tests do not ship, and nobody may import one. */
export const packagesOfTests: Packages = {
  vitest: 'everything',
  'fast-check': 'everything',
  '@duckdb/node-api': 'everything',
  'better-sqlite3': 'everything',
  'libpg-query': 'everything',
  'node:child_process': 'everything',
  'node:events': 'everything',
  'node:fs': 'everything',
  'node:os': 'everything',
  'node:path': 'everything',
  'node:readline': 'everything',
  'node:url': 'everything',
  'node:util': 'everything',
  'node:zlib': 'everything',
}

/** What `process` is good for; its other members lead to modules that no import shows. */
export const processMembers = [
  'argv',
  'cpuUsage',
  'env',
  'exitCode',
  'off',
  'once',
  'pid',
  'platform',
  'stderr',
  'stdin',
  'stdout',
  'versions',
]
