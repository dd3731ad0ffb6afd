import { useState } from 'preact/hooks'
import type { Job, RemoteDataset } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { Failure } from '../parts/failure.tsx'

const sizeText = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${twoDigits(bytes / 1000)} kB`
      : `${twoDigits(bytes / 1_000_000)} MB`
const twoDigits = (value: number): string => (value < 9.95 ? value.toFixed(1) : value.toFixed(0))

/** The report first, then the tables. */
const place = (name: string) => (name.endsWith('.html') ? 0 : name.endsWith('.json') ? 2 : 1)

/** Files to keep. They are fetched with the token, so they are no plain links. */
export function Files({ job }: { readonly job: Job }) {
  const { dataset } = useSession()
  const [error, setError] = useState<unknown>()
  const [isWhole, setWhole] = useState(false)
  const files = [...job.files].sort((a, b) => place(a.name) - place(b.name))
  const shown = isWhole ? files : files.slice(0, 8)
  return (
    <section class="card stack close" aria-label="Files">
      <h2>Files</h2>
      <div class="chips">
        {shown.map(({ name, bytes }) => (
          <button key={name} type="button" class="chip" onClick={() => download(dataset, job.id, name).catch(setError)}>
            ↓ {name} <span class="soft">{sizeText(bytes)}</span>
          </button>
        ))}
        {shown.length < files.length && (
          <button type="button" class="chip" onClick={() => setWhole(true)}>
            {files.length - shown.length} more
          </button>
        )}
      </div>
      {error !== undefined && <Failure error={error} />}
    </section>
  )
}

async function download(dataset: RemoteDataset, id: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await dataset.file(id, name))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
