import { problem } from '../schema/index.ts'

/** Pieces are handed over in chunks of about so many characters. */
const chunkLength = 1 << 16

/** Writes all pieces, no faster than the reader takes them. */
export type Write = (pieces: Iterable<string>) => Promise<void>

/**
 * Writes to a pipe, a file or a terminal. A reader that has gone (`| head`) is no error: the rest is not written. Any other
 * failure, such as a full disk, is `output-unwritable`.
 */
export function writerTo(stream: Pick<NodeJS.WriteStream, 'write' | 'on'>): Write {
  let failure: NodeJS.ErrnoException | null | undefined
  const fail = (error: NodeJS.ErrnoException | null | undefined) => {
    failure ??= error
  }
  // Every failure is also an event, which would end the process if nobody listened.
  stream.on('error', fail)
  const put = (chunk: string) =>
    new Promise<void>((done) => {
      stream.write(chunk, (error) => {
        fail(error)
        done()
      })
    })
  return async (pieces) => {
    for (const chunk of chunksOf(pieces)) {
      if (!failure) await put(chunk)
      if (failure?.code === 'EPIPE') return
      if (failure) throw unwritable(failure.code ?? 'unknown')
    }
  }
}

function* chunksOf(pieces: Iterable<string>): Iterable<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const unwritable = (reason: string) =>
  problem(
    'output-unwritable',
    `the result could not be written (${reason})`,
    'What was paid for is in the history: ask again with --free.',
    { reason },
  )
