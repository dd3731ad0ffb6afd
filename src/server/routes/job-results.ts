import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Type } from 'typebox'
import { JobTables } from '../api/index.ts'
import { type App, type Context, servedFor } from '../app.ts'
import { notFound } from '../http-refusal.ts'
import { filesIn, tablesIn } from '../jobs/work.ts'
import { datasetPath, JobParams, responses } from './common.ts'

const FileParams = Type.Object({ ...JobParams.properties, name: Type.String({ maxLength: 255 }) })

const types: { readonly [ending: string]: string } = {
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json',
  '.html': 'text/html; charset=utf-8',
}

/** What a job has made. */
export function jobResultRoutes(app: App, context: Context): void {
  app.get(
    `${datasetPath}/jobs/:id/tables`,
    {
      schema: {
        summary: 'The tables of a job that is done, for charts.',
        params: JobParams,
        response: responses(200, JobTables),
      },
    },
    async (request) => {
      const { jobs } = servedFor(context, request, request.params.dataset)
      const file = tablesIn(jobs.folderOf(request.params.id))
      if (jobs.get(request.params.id).state !== 'done') throw notFound('table yet')
      return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : { tables: [], more: 0 }
    },
  )
  app.get(
    `${datasetPath}/jobs/:id/files/:name`,
    { schema: { summary: 'A file of a job that is done.', params: FileParams } },
    async (request, reply) => {
      const { jobs } = servedFor(context, request, request.params.dataset)
      const { id, name } = request.params
      // Only what is listed: a name cannot lead elsewhere.
      if (!jobs.get(id).files.some((file) => file.name === name)) throw notFound('such file')
      return reply
        .type(types[extname(name)] ?? 'application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
        .send(createReadStream(join(filesIn(jobs.folderOf(id)), name)))
    },
  )
}
