import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { App } from '../app.ts'

const types: { readonly [ending: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The page's files, read once: an address can name these and no others. Those with a hash in their name never change. */
export function pageRoutes(app: App, folder: string | undefined): void {
  const files = folder !== undefined && existsSync(folder) ? filesUnder(folder) : []
  for (const name of files) {
    const body = readFileSync(join(folder!, name))
    const type = types[extname(name)] ?? 'application/octet-stream'
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    const address = name === 'index.html' ? '/' : `/${name}`
    app.get(address, { schema: { hide: true } as object }, async (_, reply) =>
      reply.type(type).header('cache-control', cache).send(body),
    )
  }
  if (!files.includes('index.html'))
    app.get('/', { schema: { hide: true } as object }, async (_, reply) => reply.redirect('/docs'))
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).split(sep).filter(Boolean).join('/'))
