import type { App } from '../app.ts'

/** A description of the routes, as far as the page shows it. */
interface Operation {
  readonly summary?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: object } } }
}
interface Description {
  readonly paths?: { readonly [path: string]: { readonly [method: string]: Operation } }
}

const hidden = { schema: { hide: true } as object }

/** The routes for people: one page, without script, made from the same description that programs read. */
export function docsRoutes(app: App): void {
  let page: string | undefined
  let description: string | undefined
  app.get('/openapi.json', hidden, async (_, reply) => {
    description ??= JSON.stringify(app.swagger())
    return reply.type('application/json').send(description)
  })
  app.get('/docs', hidden, async (_, reply) => {
    page ??= pageOf(app.swagger() as Description)
    return reply.type('text/html; charset=utf-8').send(page)
  })
  app.get('/docs.css', hidden, async (_, reply) => reply.type('text/css; charset=utf-8').send(style))
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const pageOf = ({ paths = {} }: Description): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reticent: routes</title>
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<main>
<h1>Routes</h1>
<p>Send the token as <code>Authorization: Bearer …</code> and bodies as JSON. A refusal is
<code>{ "error": { "code", "message", "hint" } }</code>, with the best free answer beside it where there is one. For programs:
<a href="/openapi.json">openapi.json</a>.</p>
${Object.entries(paths)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => section(path, method, operation)))
  .join('\n')}
</main>
</body>
</html>
`

function section(path: string, method: string, { summary = '', requestBody, parameters = [] }: Operation): string {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return `<section>
<h2><b>${method.toUpperCase()}</b> <code>${escaped(path)}${query.length > 0 ? `?${query.join('&amp;')}` : ''}</code></h2>
<p>${escaped(summary)}</p>
${schema ? `<details><summary>Body</summary><pre>${escaped(JSON.stringify(schema, null, 1))}</pre></details>` : ''}
</section>`
}

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
section { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: 0.5rem 0 }
h2 { font-size: 1rem; font-weight: 400; margin: 0.5rem 0; overflow-wrap: anywhere }
p { margin: 0.25rem 0 }
pre { overflow: auto; font-size: 0.8rem; max-height: 30rem }
`
