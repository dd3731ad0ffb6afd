import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** What one file exports, and what it takes from which other files: paths are relative to the root, names as exported there. */
export interface Module {
  readonly exports: readonly string[]
  /** '*' takes everything. `again`: it only exports it again, under these names. */
  readonly takes: readonly { readonly from: string; readonly name: string; readonly again?: string }[]
}

/** All modules in these folders, by their paths from the root. */
export const modulesIn = (root: string, folders: readonly string[]): Map<string, Module> =>
  new Map(
    folders
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
      )
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => file.split(sep).join('/'))
      .map((file) => [file, moduleOf(file, readFileSync(join(root, file), 'utf8'))]),
  )

/** A file's exports and imports, types included. */
export function moduleOf(file: string, text: string): Module {
  const { module } = parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts', sourceType: 'module' })
  const pathOf = (request: string) => (request.startsWith('.') ? posix.join(posix.dirname(file), request) : undefined)
  const takes: { from: string; name: string; again?: string }[] = []
  const take = (request: string, name: string, again?: string) => {
    const from = pathOf(request)
    if (from) takes.push({ from, name, ...(again !== undefined && { again }) })
  }
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { importName } of entries) take(moduleRequest.value, importName.name ?? '*')
  const exports: string[] = []
  for (const { entries } of module.staticExports)
    for (const { exportName, importName, moduleRequest } of entries) {
      const name = exportName.name ?? 'default'
      exports.push(name)
      if (moduleRequest) take(moduleRequest.value, importName.name ?? '*', name)
    }
  for (const { moduleRequest } of module.dynamicImports)
    take(text.slice(moduleRequest.start + 1, moduleRequest.end - 1), '*')
  return { exports, takes }
}

/** What ships: the library and the page. */
const ships = (file: string) => file.startsWith('src/') || file.startsWith('web/')

/**
 * Exports of src/ and web/ that no other file imports, tests and benches included; what an index.ts passes on counts as imported where
 * somebody imports it from there. `entries` are used by the outside.
 */
export function unusedExports(modules: ReadonlyMap<string, Module>, entries: readonly string[]): string[] {
  const used = new Set<string>()
  const use = (file: string, name: string): void => {
    const key = `${file} ${name}`
    if (used.has(key)) return
    used.add(key)
    const module = modules.get(file)
    if (name === '*') for (const each of module?.exports ?? []) use(file, each)
    for (const { from, name: original, again } of module?.takes ?? []) if (again === name) use(from, original)
  }
  for (const entry of entries) use(entry, '*')
  for (const { takes } of modules.values())
    for (const { from, name, again } of takes) if (again === undefined) use(from, name)
  return [...modules]
    .filter(([file]) => ships(file))
    .flatMap(([file, { exports }]) =>
      exports.filter((name) => !used.has(`${file} ${name}`)).map((name) => `${file}: nobody imports ${name}`),
    )
}

/** Files of src/ and web/ that import each other, directly or through others, types included: one line per ring. */
export function importCycles(modules: ReadonlyMap<string, Module>): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    state.set(file, 'open')
    for (const next of new Set(modules.get(file)?.takes.map(({ from }) => from))) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of modules.keys()) if (ships(file)) visit(file, [])
  return found.map((ring) => `import cycle: ${ring}`)
}
